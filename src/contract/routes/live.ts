import { z } from 'zod';
import { StreamMessage } from '../stream.ts';
import { route } from './route.ts';

/** Server-sent events; see `contract/stream.ts` for their content. */
export const readStream = route({
  method: 'GET',
  path: '/api/live/stream',
  tag: 'live',
  description: 'Server-sent events. Ids are journal positions; Last-Event-ID replays what was missed.',
  events: StreamMessage,
  query: z.object({
    picture: z.enum(['whole', 'pieces']).default('pieces'),
    after: z.coerce.number().int().positive().optional().describe('Same as Last-Event-ID, which takes precedence'),
    tab: z.string().min(1).max(64).optional().describe('The page reading it: see POST /api/presence'),
  }),
});
