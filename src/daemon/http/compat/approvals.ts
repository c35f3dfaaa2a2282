import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Approval } from '../../../contract/approvals.ts';
import { ApprovalAlreadySettled } from '../../approvals/already-settled.ts';
import type { ApprovalTimeoutSetting } from '../../approvals/approval-timeout.ts';
import type { Approvals } from '../../approvals/approvals.ts';
import type { Deliveries } from '../../approvals/deliveries.ts';
import { DomainError } from '../../errors.ts';
import type { HookSource } from '../../peers/hook-source.ts';
import type { Decisions } from '../../permissions/decisions.ts';
import type { Judge } from '../../permissions/judge.ts';
import { actorName } from '../actor-name.ts';
import { routesOf } from '../routes.ts';
import { TAGS } from './tags.ts';

const MAX_TIMEOUT_S = 24 * 3600;
const BODY_LIMIT = 16 * 1024 * 1024;

const CorrelationId = z.string().min(1).max(256);
const AskBody = z.object({
  session_id: z.string().min(1).max(256),
  tool_name: z.string().min(1).max(256),
  tool_input: z.record(z.string(), z.unknown()).default({}),
  tool_use_id: z.string().min(1).max(256).optional(),
  cwd: z.string().startsWith('/').max(4096).optional().describe("Default: the session's own"),
  correlation_id: CorrelationId.optional().describe('Chosen by the requester: asking twice is one request'),
  timeout: z.coerce.number().positive().max(MAX_TIMEOUT_S).optional().describe('Seconds; default: the setting'),
});
type AskBody = z.infer<typeof AskBody>;

/** No decision means a denial, as in the documents. */
const DecideBody = z.object({ decision: z.enum(['allow', 'deny']).default('deny'), reason: z.string().optional() });
type DecideBody = z.infer<typeof DecideBody>;

const Asked = z.object({ request_id: z.string(), correlation_id: z.string() });
const Answer = z.object({
  decision: z.enum(['allow', 'deny']),
  request_id: z.string(),
  correlation_id: z.string().optional().describe('If the requester chose one'),
  reason: z.string().optional(),
});
const Recorded = z.object({ ok: z.literal(true), message: z.string() });
const Params = z.object({ id: z.string() });
const Poll = z.object({
  timeout: z.coerce.number().min(0).max(600).default(5).describe('Seconds to wait for a decision'),
});

interface CompatApprovalsContext {
  approvals: Approvals;
  deliveries: Deliveries;
  judge: Judge;
  decisions: Decisions;
  approvalTimeout: ApprovalTimeoutSetting;
  hookSource: HookSource;
}

/** Three ways to request permission: block, create and poll, or queue under a correlation id. All go through the one judge. */
export const compatApprovalRoutes = routesOf<CompatApprovalsContext>(
  (app, { approvals, deliveries, judge, decisions, approvalTimeout, hookSource }) => {
    const asker = { config: { access: 'hook' as const }, bodyLimit: BODY_LIMIT };

    app.post(
      '/request-approval',
      { ...asker, schema: { tags: TAGS, body: AskBody, response: { 200: Answer } } },
      async ({ body, raw }, reply) => {
        await hookSource.check(body.session_id, raw);
        const hungUp = new AbortController();
        reply.raw.once('close', () => hungUp.abort());
        const asked = await open(body);
        const settled = await approvals.wait(asked.id, hungUp);
        if (!settled) throw new StillPending(asked);
        reply.raw.once('finish', () => deliveries.collected(settled.id));
        return { ...toAnswer(settled), correlation_id: body.correlation_id };
      },
    );

    for (const path of ['/create-approval-request', '/approval-queue']) {
      const isQueue = path === '/approval-queue';
      const body = isQueue ? AskBody.extend({ correlation_id: CorrelationId }) : AskBody;
      app.post(path, { ...asker, schema: { tags: TAGS, body, response: { 200: Asked } } }, async ({ body, raw }) => {
        await hookSource.check(body.session_id, raw);
        const { id, correlationId } = await open(body);
        return { request_id: id, correlation_id: correlationId };
      });
    }

    for (const path of ['/approval-requests/:id/decision', '/response-queue/:id']) {
      app.get(
        path,
        { config: { access: 'hook' }, schema: { tags: TAGS, params: Params, querystring: Poll } },
        async ({ params, query, raw }, reply) => {
          const { id, sessionId } = approvals.find(params.id);
          // Fetching it counts as delivery.
          await hookSource.check(sessionId, raw);
          const settled = await waitFor(id, query.timeout, reply);
          if (!settled) return reply.code(202).send({ status: 'pending', message: 'No decision yet' });
          reply.raw.once('finish', () => deliveries.collected(settled.id));
          const { decision, ...answer } = toAnswer(settled);
          return {
            status: decision === 'allow' ? 'approved' : 'denied',
            decision,
            ...answer,
            correlation_id: settled.correlationId,
            decided_at: new Date(settled.settledAt ?? 0).toISOString(),
          };
        },
      );
    }

    for (const [path, tooLate] of [
      ['/tool-decisions/:id/respond', 404],
      ['/approval-requests/:id/decide', 400],
    ] as const) {
      app.post(
        path,
        { schema: { tags: TAGS, params: Params, body: DecideBody, response: { 200: Recorded } } },
        async ({ params, body, device }) => record(params.id, body, { by: actorName(device), tooLate }),
      );
    }

    app.post(
      '/response-queue',
      {
        schema: { tags: TAGS, body: DecideBody.extend({ correlation_id: CorrelationId }), response: { 200: Recorded } },
      },
      async ({ body, device }) => record(body.correlation_id, body, { by: actorName(device), tooLate: 400 }),
    );

    function open(body: AskBody): Promise<Approval> {
      const call = {
        origin: 'api' as const,
        sessionId: body.session_id,
        kind: 'permission' as const,
        toolName: body.tool_name,
        toolInput: body.tool_input,
        cwd: body.cwd,
      };
      const correlationId = body.correlation_id ?? randomUUID();
      const timeoutSeconds = body.timeout ?? approvalTimeout.get().seconds;
      return judge.open(call, { ...call, correlationId, timeoutSeconds, toolUseId: body.tool_use_id });
    }

    /** undefined: still pending after that many seconds. */
    async function waitFor(id: string, seconds: number, reply: FastifyReply): Promise<Approval | undefined> {
      const giveUp = new AbortController();
      const timer = setTimeout(() => giveUp.abort(), seconds * 1000);
      reply.raw.once('close', () => giveUp.abort());
      const settled = await approvals.wait(id, giveUp);
      clearTimeout(timer);
      return settled?.status === 'pending' ? undefined : settled;
    }

    /** The documents answer a late decision in their own ways: one with 404, the other with 400. */
    async function record(
      key: string,
      { decision, reason }: DecideBody,
      { by, tooLate }: { by: string; tooLate: number },
    ): Promise<z.infer<typeof Recorded>> {
      try {
        await decisions.decide(approvals.find(key).id, { decision, ...(reason ? { message: reason } : {}) }, by);
      } catch (error) {
        if (!(error instanceof ApprovalAlreadySettled)) throw error;
        throw new DomainError(error.code, tooLate, `Request already decided. ${error.message}`, error.details);
      }
      return { ok: true, message: 'Decision recorded' };
    }
  },
);

/** Nobody denied it: asking again with the same correlation id finds the same question. */
class StillPending extends DomainError {
  constructor({ correlationId }: Approval) {
    super(
      'approval.pending',
      503,
      'Ground Control is stopping and this was not decided. Ask again with the same correlation_id.',
      { correlation_id: correlationId },
    );
  }
}

/** Programs have no dialog to fall back to, so anything but an allow is a denial with its reason. */
function toAnswer({ id, decision, status }: Approval): z.infer<typeof Answer> {
  if (decision?.decision === 'allow') return { decision: 'allow', request_id: id };
  const reason = decision ? (decision.message ?? decision.reason ?? 'User denied') : status;
  return { decision: 'deny', request_id: id, reason };
}
