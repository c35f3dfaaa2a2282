import { z } from 'zod';
import { isRecord } from '../../../contract/values.ts';
import type { Core } from '../../core.ts';
import type { Intake } from '../../drivers/terminal/intake/intake.ts';
import { takeHook } from '../../drivers/terminal/intake/intake.ts';
import { PENDING_REVIEW, PostedEvent, toHook } from '../../drivers/terminal/intake/posted-event.ts';
import { MAX_HOOK_BYTES, readHook } from '../../drivers/terminal/intake/read-hook.ts';
import { DomainError } from '../../errors.ts';
import type { Journal } from '../../journal/journal.ts';
import type { HookSource } from '../../peers/hook-source.ts';
import type { Judge } from '../../permissions/judge.ts';
import type { Reviews } from '../../reviews/reviews.ts';
import type { LiveModel } from '../../sessions/live-model.ts';
import type { RemovedSessions } from '../../sessions/removed-sessions.ts';
import { deleteSession, listEvents, renameSession, requireSession } from '../../sessions/sessions.ts';
import { routesOf } from '../routes.ts';
import { CompatEvent, toCompatEvent } from './event-shape.ts';
import { CompatSession, toCompatSession } from './session-shape.ts';
import { TAGS } from './tags.ts';

const Params = z.object({ id: z.string() });
const Ok = z.object({ ok: z.literal(true) });
const EventsQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
});
const Events = z.object({
  events: z.array(CompatEvent),
  next_after: z.number().nullable().describe('Pass as `after` for the next page; null at the end'),
});

interface CompatSessionsContext {
  journal: Journal;
  live: LiveModel;
  left: RemovedSessions;
  record: Core['record'];
  hookSource: HookSource;
  intake: Intake;
  reviews: Reviews;
  judge: Judge;
}

/**
 * The routes spelled out in the two-way communication documents, for scripts written for them: different names and shapes over the same
 * functions, and nothing more.
 */
export const compatSessionRoutes = routesOf<CompatSessionsContext>((app, context) => {
  app.post(
    '/events',
    {
      bodyLimit: MAX_HOOK_BYTES,
      config: { access: 'hook' },
      schema: { tags: TAGS, body: PostedEvent, response: { 200: Ok } },
    },
    async ({ body, raw }) => {
      await context.hookSource.check(body.session_id, raw);
      const rowFor = body.event_type === PENDING_REVIEW ? () => reviewRow(body) : context.intake.rowFor;
      // These events only report; nobody waits for the answer.
      await takeHook(
        readHook(Buffer.from(JSON.stringify(toHook(body)))),
        { ...context.intake, responders: [], ...(rowFor ? { rowFor } : {}) },
        { onHangUp: () => undefined },
      );
      return { ok: true as const };
    },
  );

  app.get(
    '/sessions',
    { schema: { tags: TAGS, response: { 200: z.object({ sessions: z.array(CompatSession) }) } } },
    async () => ({
      sessions: context.live.views().map(toCompatSession),
    }),
  );

  app.get(
    '/sessions/:id',
    { schema: { tags: TAGS, params: Params, response: { 200: CompatSession } } },
    async ({ params }) => toCompatSession(requireSession(context, params.id)),
  );

  app.get(
    '/sessions/:id/events',
    { schema: { tags: TAGS, params: Params, querystring: EventsQuery, response: { 200: Events } } },
    async ({ params, query }) => {
      const { events, nextAfter } = listEvents(context, params.id, query);
      return { events: events.map(toCompatEvent).filter((event) => event !== undefined), next_after: nextAfter };
    },
  );

  app.patch(
    '/sessions/:id',
    {
      schema: {
        tags: TAGS,
        params: Params,
        body: z.object({ session_name: z.string().trim().min(1).max(500) }),
        response: { 200: CompatSession },
      },
    },
    async ({ params, body }) => toCompatSession(await renameSession(context, params.id, body.session_name)),
  );

  app.delete('/sessions/:id', { schema: { tags: TAGS, params: Params, response: { 200: Ok } } }, async ({ params }) => {
    await deleteSession(context, params.id);
    return { ok: true as const };
  });

  /** A call that a program reports for review. Its own timestamp counts, if it has one. */
  function reviewRow({
    session_id: sessionId,
    tool_use_id: id,
    tool_name: toolName,
    tool_input,
    timestamp,
  }: PostedEvent) {
    for (const [field, value] of Object.entries({ tool_use_id: id, tool_name: toolName }))
      if (!value) throw new DomainError('event.missing_field', 400, `A ${PENDING_REVIEW} needs a ${field}.`, { field });
    const toolInput = isRecord(tool_input) ? tool_input : {};
    const at = timestamp ? Date.parse(timestamp) : Number.NaN;
    return context.reviews.rowOf(
      { id: id!, sessionId, at: Number.isNaN(at) ? Date.now() : at },
      context.judge.toolCall({ sessionId, toolName: toolName!, toolInput }),
    );
  }
});
