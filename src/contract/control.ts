import { z } from 'zod';
import { GROUPS } from './groups.ts';
import { DetachedProcess, IF_UNREACHED, Stop } from './sessions.ts';

export const DEFAULT_STOP_WAIT_SECONDS = 10;

/** How long a stop waits for the next hook of a thinking session, unless the request says otherwise. */
export const StopWait = z.object({ seconds: z.number().min(0).max(3600) }).strict();
export type StopWait = z.infer<typeof StopWait>;

export const StopRequest = z
  .object({
    reason: z.string().trim().min(1).max(500).optional().describe('Shown to the agent and kept in the audit record'),
    kill: z.boolean().default(false).describe("End the session's process, including its tools, hooks and servers"),
    waitSeconds: StopWait.shape.seconds.optional().describe('How long to wait for its next hook. Default: the setting'),
    ifUnreached: z
      .enum(IF_UNREACHED)
      .default('ask')
      .describe('If no hook arrives in time: report it and leave the process running, or end the process'),
    endDetached: z
      .array(z.string().min(1).max(100))
      .max(1000)
      .default([])
      .describe('With kill: ids of detached processes to end too; see `GET /api/sessions/{id}/processes`'),
    wait: z
      .boolean()
      .default(false)
      .describe('Respond once it has stopped, or once it turns out to be unreachable, instead of immediately'),
  })
  .strict()
  .refine(({ kill, endDetached }) => kill || endDetached.length === 0, {
    message: 'Detached processes end only with the session. Set kill.',
    path: ['endDetached'],
  });
export type StopRequest = z.infer<typeof StopRequest>;

/** Which sessions: those that match every given condition. */
export const StopFilter = z.object({
  all: z.literal(true).optional().describe('Every session that has not ended'),
  project: z.string().min(1).optional().describe("The project's name or path, or the working directory"),
  state: z.string().min(1).optional().describe('The state of the session: thinking, needs_permission, …'),
  group: z.enum(GROUPS).optional(),
  ids: z.array(z.string().min(1)).min(1).max(10_000).optional(),
});
export type StopFilter = z.infer<typeof StopFilter>;

export const StopManyRequest = z
  .object({ ...StopRequest.shape, ...StopFilter.shape })
  .strict()
  .refine(({ all, project, state, group, ids }) => all || project || state || group || ids, {
    message: 'Choose the sessions: all, project, state, group or ids.',
  });

/** A session's processes, and what a stop would do to them. */
export const SessionProcessList = z.object({
  pids: z.array(z.number()).describe('Its own processes'),
  toolPids: z.array(z.number()).describe("Its tools' processes: ended by every stop"),
  serverPids: z.array(z.number()).describe('Its hooks and MCP servers: end with its process'),
  detached: z.array(DetachedProcess).describe('Left running unless a stop with `kill` names them'),
});
export type SessionProcessList = z.infer<typeof SessionProcessList>;

export const StopList = z.object({ stops: z.array(z.object({ sessionId: z.string(), stop: Stop })) });
export type StopList = z.infer<typeof StopList>;
