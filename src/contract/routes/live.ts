import { z } from 'zod';
import { route } from './route.ts';

/** Server-sent events; `contract/stream.ts` says what they carry. */
export const readStream = route({
  method: 'GET',
  path: '/api/live/stream',
  tag: 'live',
  query: z.object({
    picture: z.enum(['whole', 'pieces']).default('pieces'),
    after: z.coerce.number().int().positive().optional().describe('As Last-Event-ID, which goes before it'),
    tab: z.string().min(1).max(64).optional().describe('The page that reads it: see POST /api/presence'),
  }),
  answer: z.unknown(),
});
