import { compatApprovalRoutes } from '../http/compat/approvals.ts';
import { compatReviewRoutes } from '../http/compat/reviews.ts';
import { compatRuleRoutes } from '../http/compat/rules.ts';
import { compatSessionRoutes } from '../http/compat/sessions.ts';
import { compatSocket } from '../http/compat/socket.ts';
import { compatStopRoutes } from '../http/compat/stop.ts';
import type { AccessPart } from './access.ts';
import type { ApprovalsPart } from './approvals.ts';
import type { ControlPart } from './control.ts';
import type { CorePart } from './core.ts';
import type { IntakePart } from './intake.ts';
import type { PermissionsPart } from './permissions.ts';
import type { ReviewsPart } from './reviews.ts';
import type { RulesPart } from './rules.ts';

type Needs = Pick<CorePart, 'core'> &
  Pick<AccessPart, 'guard' | 'devices' | 'hookSource'> &
  Pick<ApprovalsPart, 'approvals' | 'approvalTimeout'> &
  Pick<RulesPart, 'rules' | 'ruleTools'> &
  Pick<ReviewsPart, 'reviews'> &
  Pick<ControlPart, 'stops'> &
  Pick<PermissionsPart, 'judge' | 'decisions' | 'deliveries'> &
  Pick<IntakePart, 'intake'>;

/** The routes that the two-way communication documents spell out. */
export function compatPart({ core, ...needs }: Needs) {
  const { journal, live, left, hub, record } = core;
  const context = { ...needs, journal, live, left, hub, record };
  return {
    routes: [
      compatSessionRoutes(context),
      compatApprovalRoutes(context),
      compatRuleRoutes(context),
      compatReviewRoutes(context),
      compatStopRoutes(context),
      compatSocket(context),
    ],
  };
}
