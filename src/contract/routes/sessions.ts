import { z } from 'zod';
import { SessionDecisions } from '../decisions.ts';
import { LiveSession, SessionEvents, SessionList, SessionPatch } from '../sessions.ts';
import { Timeline } from '../timeline.ts';
import { ById, NOTHING, route } from './route.ts';

const tag = 'sessions';

export const listSessions = route({ method: 'GET', path: '/api/sessions', tag, answer: SessionList });
export const getSession = route({ method: 'GET', path: '/api/sessions/:id', tag, params: ById, answer: LiveSession });
export const renameSession = route({
  method: 'PATCH',
  path: '/api/sessions/:id',
  tag,
  params: ById,
  body: SessionPatch,
  answer: LiveSession,
});
export const deleteSession = route({ method: 'DELETE', path: '/api/sessions/:id', tag, params: ById, ...NOTHING });
export const countSessionDecisions = route({
  method: 'GET',
  path: '/api/sessions/:id/decisions',
  tag,
  params: ById,
  answer: SessionDecisions,
});
export const getTimeline = route({
  method: 'GET',
  path: '/api/sessions/:id/timeline',
  tag,
  params: ById,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(20_000).default(2000).describe('How many of its latest events'),
  }),
  answer: Timeline,
});
export const listSessionEvents = route({
  method: 'GET',
  path: '/api/sessions/:id/events',
  tag,
  params: ById,
  query: z.object({
    after: z.coerce.number().int().min(0).default(0),
    before: z.coerce.number().int().min(1).optional().describe('Instead: the latest ones before this'),
    from: z.enum(['start', 'end']).default('start').describe('end: start from the newest instead'),
    limit: z.coerce.number().int().min(1).max(1000).default(200),
    brief: z.stringbool().default(false).describe('Truncate long strings and lists in payloads'),
  }),
  answer: SessionEvents,
});
