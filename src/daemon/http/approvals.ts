import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  APPROVAL_STATUSES,
  Approval,
  ApprovalList,
  ApprovalTimeout,
  ApprovalTimeoutState,
  Away,
  DecisionRequest,
  DecisionResult,
  EditPreview,
  HoldSettings,
  HoldState,
  UndoWindow,
} from '../../contract/approvals.ts';
import { PresenceAnswer, PresenceReport } from '../../contract/presence.ts';
import { AlwaysRule } from '../../contract/rules.ts';
import { previewEdit } from '../approvals/edit-preview.ts';
import { releaseApproval } from '../approvals/release.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';

const Params = z.object({ id: z.string() });
const Query = z.object({
  status: z.enum(APPROVAL_STATUSES).optional(),
  sessionId: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(500),
});

export const approvalRoutes: FastifyPluginAsyncZod<Context> = async (
  app,
  {
    approvals,
    deliveries,
    approvalTimeout,
    decide,
    undo,
    undoSeconds,
    rules,
    away,
    alwaysFor,
    presence,
    holdTime,
    record,
    acting,
  },
) => {
  const tags = ['approvals'];

  app.get(
    '/api/approvals',
    { schema: { tags, querystring: Query, response: { 200: ApprovalList } } },
    async ({ query }) => ({
      approvals: approvals.list(query),
    }),
  );

  app.get('/api/approvals/:id', { schema: { tags, params: Params, response: { 200: Approval } } }, async ({ params }) =>
    approvals.get(params.id),
  );

  app.get(
    '/api/approvals/:id/edit-preview',
    { schema: { tags, params: Params, response: { 200: EditPreview } } },
    async ({ params }) => previewEdit(approvals.get(params.id)),
  );

  app.get(
    '/api/approvals/:id/rule',
    { schema: { tags, params: Params, response: { 200: AlwaysRule } } },
    async ({ params }) => alwaysFor(approvals.get(params.id)),
  );

  app.post(
    '/api/approvals/:id/decision',
    {
      bodyLimit: 16 * 1024 * 1024,
      schema: { tags, params: Params, body: DecisionRequest, response: { 200: DecisionResult } },
    },
    async ({ params, body: { undoable, ...request }, device }) => {
      if (request.remember) rules.check(request.remember);
      if (undoable && undoSeconds.get() > 0) return undo.decide(params.id, request, actorName(device));
      const isAttended = approvals.isWaitedFor(params.id);
      const decided = await decide(params.id, request, actorName(device));
      const { delivery } = await deliveries.outcome(decided.id, { isAttended });
      return { ...decided, ...(delivery ? { delivery } : {}) };
    },
  );

  app.delete(
    '/api/approvals/:id/decision',
    { schema: { tags, params: Params, response: { 200: Approval } } },
    async ({ params, device }) => undo.undo(params.id, actorName(device)),
  );

  app.post(
    '/api/approvals/:id/release',
    { schema: { tags, params: Params, response: { 200: Approval } } },
    async ({ params, device }) => releaseApproval(approvals, params.id, actorName(device)),
  );

  app.get('/api/undo-window', { schema: { tags, response: { 200: UndoWindow } } }, async () => ({
    seconds: undoSeconds.get(),
  }));

  app.put(
    '/api/undo-window',
    { schema: { tags, body: UndoWindow, response: { 200: UndoWindow } } },
    async ({ body }) => {
      undoSeconds.set(body.seconds);
      return { seconds: undoSeconds.get() };
    },
  );

  app.get('/api/approval-timeout', { schema: { tags, response: { 200: ApprovalTimeoutState } } }, async () =>
    approvalTimeout.get(),
  );

  app.put(
    '/api/approval-timeout',
    { schema: { tags, body: ApprovalTimeout, response: { 200: ApprovalTimeoutState } } },
    async ({ body }) => {
      approvalTimeout.set(body.seconds);
      return approvalTimeout.get();
    },
  );

  app.get('/api/away', { schema: { tags, response: { 200: Away } } }, async () => ({ away: away.get() }));

  app.put('/api/away', { schema: { tags, body: Away, response: { 200: Away } } }, async ({ body, device }) => {
    away.set(body.away);
    const payload = { by: actorName(device), detail: body.away ? 'Away from the desk' : 'At the desk' };
    await record({ sessionId: '', source: 'operator', name: 'away.set', payload });
    return { away: away.get() };
  });

  const holdState = (): HoldState => ({ holdSeconds: holdTime.get(), away: away.get(), presence: presence.level() });
  app.get('/api/hold', { schema: { tags, response: { 200: HoldState } } }, async () => holdState());

  app.put('/api/hold', { schema: { tags, body: HoldSettings, response: { 200: HoldState } } }, async ({ body }) => {
    holdTime.set(body.holdSeconds);
    return holdState();
  });

  app.post(
    '/api/presence',
    // a viewer's page reports like any other, but nobody is asked through it
    { config: { access: 'viewer' }, schema: { tags, body: PresenceReport, response: { 200: PresenceAnswer } } },
    async (request) => {
      // every agent can read the token of the data dir, and none can say that the operator is there
      if (request.device?.kind === 'local') await acting.admit(request);
      return {
        presence:
          request.device?.role === 'operator' ? presence.report(request.body, request.device.id) : presence.level(),
      };
    },
  );
};
