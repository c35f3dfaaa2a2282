import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  APPROVAL_STATUSES,
  Approval,
  ApprovalList,
  Away,
  DecisionRequest,
  DecisionResult,
  UndoWindow,
} from '../../contract/approvals.ts';
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
  { approvals, decide, undo, undoSeconds, rules, away, record },
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

  app.post(
    '/api/approvals/:id/decision',
    {
      bodyLimit: 16 * 1024 * 1024,
      schema: { tags, params: Params, body: DecisionRequest, response: { 200: DecisionResult } },
    },
    async ({ params, body: { undoable, ...request }, device }) => {
      if (request.remember) rules.check(request.remember);
      return undoable
        ? undo.decide(params.id, request, actorName(device))
        : decide(params.id, request, actorName(device));
    },
  );

  app.delete(
    '/api/approvals/:id/decision',
    { schema: { tags, params: Params, response: { 200: Approval } } },
    async ({ params, device }) => undo.undo(params.id, actorName(device)),
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

  app.get('/api/away', { schema: { tags, response: { 200: Away } } }, async () => ({ away: away.get() }));

  app.put('/api/away', { schema: { tags, body: Away, response: { 200: Away } } }, async ({ body, device }) => {
    away.set(body.away);
    const payload = { by: actorName(device), detail: body.away ? 'Away from the desk' : 'At the desk' };
    await record({ sessionId: '', source: 'operator', name: 'away.set', payload });
    return { away: away.get() };
  });
};
