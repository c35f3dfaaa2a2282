import type { Approval } from '../../contract/approvals.ts';
import { Deliveries } from '../approvals/deliveries.ts';
import { transcriptEvidence } from '../drivers/terminal/permission/transcript-evidence.ts';
import { DomainError } from '../errors.ts';
import { approvalRoutes } from '../http/approvals.ts';
import { Decisions } from '../permissions/decisions.ts';
import { Judge } from '../permissions/judge.ts';
import type { ApprovalsPart } from './approvals.ts';
import type { Base } from './base.ts';
import type { ControlPart } from './control.ts';
import type { CorePart } from './core.ts';
import type { ReviewsPart } from './reviews.ts';
import type { RulesPart } from './rules.ts';
import type { TerminalPart } from './terminal.ts';

type Needs = Pick<CorePart, 'core'> &
  Pick<ApprovalsPart, 'approvals' | 'holding' | 'undoSeconds'> &
  Pick<RulesPart, 'rules' | 'policies' | 'ruleTools' | 'io'> &
  Pick<ReviewsPart, 'reviews'> &
  Pick<ControlPart, 'stops'> &
  Pick<TerminalPart, 'processes'>;

export type PermissionsPart = ReturnType<typeof permissionsPart>;

/** The pipeline that every call goes through, and the operator's decisions. */
export function permissionsPart({ now, onError }: Base, needs: Needs) {
  const { core, approvals, holding, undoSeconds, rules, policies, ruleTools, io, reviews, stops, processes } = needs;
  const judge = new Judge({
    core,
    rules,
    policies,
    approvals,
    refusal: (call) => stops.refusal(call),
    io,
    now,
    declines: (ask) => holding.declines(ask),
    onAsked: (id) => reviews.forget(id),
    onError,
  });
  const alwaysFor = (approval: Approval) => {
    if (approval.kind !== 'permission')
      throw new DomainError(
        'approval.no_rule',
        409,
        `A ${approval.kind} request needs an answer each time. No rule can give it.`,
      );
    return ruleTools.always(judge.toolCall(approval));
  };
  rules.onChange(() => judge.settleDecided().catch(onError));
  const windowMs = () => undoSeconds.get() * 1000;
  const decisions = new Decisions({ approvals, rules, judge, windowMs, now, onError });
  const deliveries = new Deliveries({
    core,
    approvals,
    lookAtDialog: (pid, asked) => processes.lookAtDialog(pid, asked),
    evidenceOf: transcriptEvidence(core.live),
    now,
    onError,
  });
  return {
    judge,
    decisions,
    deliveries,
    routes: [approvalRoutes({ approvals, deliveries, decisions, undoSeconds, rules, alwaysFor })],
    start() {
      judge.settleDecided().catch(onError);
    },
    async stop() {
      deliveries.stop();
      await decisions.flush();
    },
    close: () => deliveries.stop(),
  };
}
