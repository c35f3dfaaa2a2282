import { z } from 'zod';
import { route } from './route.ts';

/** Server-sent events; `contract/stream.ts` says what they carry. */
export const readStream = route({
  method: 'GET',
  path: '/api/live/stream',
  tag: 'live',
  query: z.object({
    picture: z.enum(['whole', 'pieces']).default('pieces'),
    after: z.coerce.number().int().positive().optional().describe('Same as Last-Event-ID, which takes precedence'),
    tab: z.string().min(1).max(64).optional().describe('The page reading it: see POST /api/presence'),
  }),
  answer: z.unknown(),
});
