import { z } from 'zod';
import { GROUPS } from './groups.ts';
import { Stop } from './sessions.ts';

export const StopRequest = z
  .object({
    reason: z.string().trim().min(1).max(500).optional().describe('Told to the agent and kept in the record'),
    kill: z.boolean().default(false).describe("End the session's process in any case, and all that it started"),
    wait: z.boolean().default(false).describe('Answer when it has stopped, not at once'),
  })
  .strict();
export type StopRequest = z.infer<typeof StopRequest>;

/** Which sessions: those for which all that is given holds. */
export const StopFilter = z.object({
  all: z.literal(true).optional().describe('Every session that has not ended'),
  project: z.string().min(1).optional().describe('The name or the path of the project, or the working directory'),
  state: z.string().min(1).optional().describe('The state of the session: thinking, needs_permission, …'),
  group: z.enum(GROUPS).optional(),
  ids: z.array(z.string().min(1)).min(1).max(10_000).optional(),
});
export type StopFilter = z.infer<typeof StopFilter>;

export const StopManyRequest = StopRequest.extend(StopFilter.shape)
  .strict()
  .refine(({ all, project, state, group, ids }) => all || project || state || group || ids, {
    message: 'Say which sessions: all, project, state, group or ids.',
  });

export const StopList = z.object({ stops: z.array(z.object({ sessionId: z.string(), stop: Stop })) });
export type StopList = z.infer<typeof StopList>;
