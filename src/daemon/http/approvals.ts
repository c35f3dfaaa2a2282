import type { Approval, HoldState } from '../../contract/approvals.ts';
import * as routes from '../../contract/routes/approvals.ts';
import type { AlwaysRule } from '../../contract/rules.ts';
import type { Acting } from '../access/acting.ts';
import type { ApprovalTimeoutSetting } from '../approvals/approval-timeout.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Deliveries } from '../approvals/deliveries.ts';
import { previewEdit } from '../approvals/edit-preview.ts';
import type { Presence } from '../approvals/presence.ts';
import { releaseApproval } from '../approvals/release.ts';
import type { Core } from '../core.ts';
import type { Setting } from '../data-dir.ts';
import type { Decisions } from '../permissions/decisions.ts';
import type { Rules } from '../rules/rules.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface ApprovalsContext {
  approvals: Approvals;
  deliveries: Deliveries;
  decisions: Decisions;
  undoSeconds: Setting<number>;
  rules: Rules;
  /** The rule that "always" would save for an approval. */
  alwaysFor: (approval: Approval) => AlwaysRule;
}

export const approvalRoutes = routesOf<ApprovalsContext>((app, context) => {
  const { approvals, deliveries, decisions, undoSeconds, rules, alwaysFor } = context;

  serve(app, routes.listApprovals, ({ query }) => ({ approvals: approvals.list(query) }));
  serve(app, routes.getApproval, ({ params }) => approvals.get(params.id));
  serve(app, routes.previewApprovalEdit, ({ params }) => previewEdit(approvals.get(params.id)));
  serve(app, routes.getAlwaysRule, ({ params }) => alwaysFor(approvals.get(params.id)));
  serve(app, routes.decideApproval, async ({ params, body: { undoable, ...request }, device }) => {
    if (request.remember) rules.check(request.remember);
    if (undoable && undoSeconds.get() > 0) return decisions.decideUndoably(params.id, request, actorName(device));
    const isAttended = approvals.isWaitedFor(params.id);
    const decided = await decisions.decide(params.id, request, actorName(device));
    const { delivery } = await deliveries.outcome(decided.id, { isAttended });
    return { ...decided, ...(delivery ? { delivery } : {}) };
  });
  serve(app, routes.undoDecision, ({ params, device }) => decisions.undo(params.id, actorName(device)));
  serve(app, routes.releaseApproval, ({ params, device }) => releaseApproval(approvals, params.id, actorName(device)));
});

interface WaitingContext {
  approvalTimeout: ApprovalTimeoutSetting;
  undoSeconds: Setting<number>;
  away: Setting<boolean>;
  presence: Presence;
  holdTime: Setting<number>;
  record: Core['record'];
  acting: Acting;
}

/** How long requests wait for the operator, and whether the operator is there. */
export const waitingRoutes = routesOf<WaitingContext>((app, context) => {
  const { approvalTimeout, undoSeconds, away, presence, holdTime, record, acting } = context;

  serve(app, routes.getUndoWindow, () => ({ seconds: undoSeconds.get() }));
  serve(app, routes.setUndoWindow, ({ body }) => {
    undoSeconds.set(body.seconds);
    return { seconds: undoSeconds.get() };
  });

  serve(app, routes.getApprovalTimeout, () => approvalTimeout.get());
  serve(app, routes.setApprovalTimeout, ({ body }) => {
    approvalTimeout.set(body.seconds);
    return approvalTimeout.get();
  });

  serve(app, routes.getAway, () => ({ away: away.get() }));
  serve(app, routes.setAway, async ({ body, device }) => {
    away.set(body.away);
    const payload = { by: actorName(device), detail: body.away ? 'Away from the desk' : 'At the desk' };
    await record({ sessionId: '', source: 'operator', name: 'away.set', payload });
    return { away: away.get() };
  });

  const holdState = (): HoldState => ({ holdSeconds: holdTime.get(), away: away.get(), presence: presence.level() });
  serve(app, routes.getHold, holdState);
  serve(app, routes.setHold, ({ body }) => {
    holdTime.set(body.holdSeconds);
    return holdState();
  });

  serve(app, routes.reportPresence, async (request) => {
    const { device, body } = request;
    // Every agent can read a token in a file, and none may claim that the operator is there. Nor may a device that sees only some projects.
    const counts = device !== undefined && device.role !== 'viewer' && device.projects.length === 0;
    if (counts && device.kind !== 'browser') await acting.admit(request);
    return { presence: counts ? presence.report(body, device.id) : presence.level() };
  });
});
