import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Approval } from '../../../contract/approvals.ts';
import type { Approvals } from '../../approvals/approvals.ts';
import { DomainError } from '../../errors.ts';
import { actorName } from '../actor-name.ts';
import type { Context } from '../context.ts';

const DEFAULT_TIMEOUT_S = 30;
const MAX_TIMEOUT_S = 24 * 3600;

const SeedAsk = z.object({
  session_id: z.string().min(1).max(256),
  tool_name: z.string().min(1).max(256),
  tool_input: z.record(z.string(), z.unknown()).default({}),
  correlation_id: z.string().min(1).max(256).optional(),
  timeout: z.coerce.number().positive().max(MAX_TIMEOUT_S).default(DEFAULT_TIMEOUT_S),
});

const SeedDecision = z.object({ decision: z.enum(['allow', 'deny']), reason: z.string().optional() });
const SeedAnswer = z.object({
  decision: z.enum(['allow', 'deny']),
  request_id: z.string(),
  correlation_id: z.string(),
  reason: z.string().optional(),
});
const Recorded = z.object({ ok: z.literal(true), message: z.string() });
const Params = z.object({ id: z.string() });

/** The ways to ask that the two-way communication documents describe, all over the same held approvals. */
export const compatApprovalRoutes: FastifyPluginAsyncZod<Context> = async (app, { approvals }) => {
  const tags = ['two-way communication documents'];
  const ask = (body: z.infer<typeof SeedAsk>) => askFor(approvals, body);

  app.post(
    '/request-approval',
    {
      bodyLimit: 16 * 1024 * 1024,
      config: { access: 'hook' },
      schema: { tags, body: SeedAsk, response: { 200: SeedAnswer } },
    },
    async ({ body }, reply) => {
      const hungUp = new AbortController();
      reply.raw.once('close', () => hungUp.abort());
      const settled = await approvals.wait((await ask(body)).id, hungUp);
      if (!settled) throw new StillPending();
      return toAnswer(settled);
    },
  );

  app.post(
    '/tool-decisions/:id/respond',
    { schema: { tags, params: Params, body: SeedDecision, response: { 200: Recorded } } },
    async ({ params, body, device }) => decide(params.id, body, actorName(device)),
  );

  app.post(
    '/create-approval-request',
    {
      bodyLimit: 16 * 1024 * 1024,
      config: { access: 'hook' },
      schema: {
        tags,
        body: SeedAsk,
        response: { 200: z.object({ request_id: z.string(), correlation_id: z.string() }) },
      },
    },
    async ({ body }) => {
      const { request_id, correlation_id } = toAnswer(await ask(body));
      return { request_id, correlation_id };
    },
  );

  app.get(
    '/approval-requests/:id/decision',
    {
      config: { access: 'hook' },
      schema: {
        tags,
        params: Params,
        querystring: z.object({ timeout: z.coerce.number().min(0).max(600).default(5) }),
      },
    },
    async ({ params, query }, reply) => {
      const found = approvals.get(params.id);
      const giveUp = new AbortController();
      const timer = setTimeout(() => giveUp.abort(), query.timeout * 1000);
      reply.raw.once('close', () => giveUp.abort());
      const settled = await approvals.wait(found.id, giveUp);
      clearTimeout(timer);
      if (!settled || settled.status === 'pending')
        return reply.code(202).send({ status: 'pending', message: 'No decision yet' });
      const { decision, request_id, correlation_id, reason } = toAnswer(settled);
      const decidedAt = new Date(settled.settledAt ?? 0).toISOString();
      return {
        status: decision === 'allow' ? 'approved' : 'denied',
        decision,
        request_id,
        correlation_id,
        decided_at: decidedAt,
        reason,
      };
    },
  );

  app.post(
    '/approval-requests/:id/decide',
    { schema: { tags, params: Params, body: SeedDecision, response: { 200: Recorded } } },
    async ({ params, body, device }) => decide(params.id, body, actorName(device)),
  );

  async function decide(id: string, { decision, reason }: z.infer<typeof SeedDecision>, by: string) {
    await approvals.decide(id, { decision, ...(reason ? { message: reason } : {}) }, by);
    return { ok: true as const, message: 'Decision recorded' };
  }
};

/** Nobody has said no: whoever asks again with the same correlation id finds the question where it was. */
class StillPending extends DomainError {
  constructor() {
    super(
      'approval.pending',
      503,
      'The daemon leaves before this was decided. Ask again with the same correlation_id.',
    );
  }
}

async function askFor(approvals: Approvals, body: z.infer<typeof SeedAsk>): Promise<Approval> {
  return approvals.ask({
    origin: 'api',
    correlationId: body.correlation_id ?? randomUUID(),
    sessionId: body.session_id,
    kind: 'permission',
    toolName: body.tool_name,
    toolInput: body.tool_input,
    timeoutSeconds: body.timeout,
  });
}

/** Nobody who asks this way has a dialog to fall back to: whatever is not an allow is a denial with its reason. */
function toAnswer({ id, correlationId, decision, status }: Approval): z.infer<typeof SeedAnswer> {
  const reason = decision
    ? (decision.reason ?? decision.message ?? (decision.decision === 'deny' ? 'User denied' : undefined))
    : status;
  return {
    decision: decision?.decision ?? 'deny',
    request_id: id,
    correlation_id: correlationId,
    ...(reason ? { reason } : {}),
  };
}
