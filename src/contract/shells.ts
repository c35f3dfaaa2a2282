import { z } from 'zod';

/** A command of the built-in agent, while it runs and, in the background, after it ended. */
export const ShellProcess = z.object({
  pid: z.number(),
  parent: z.number(),
  state: z.string().describe('As `ps` shows it: R running, S sleeping, D waiting for a device, T stopped'),
  command: z.string(),
});
export type ShellProcess = z.infer<typeof ShellProcess>;

export const ShellView = z.object({
  id: z.string(),
  command: z.string(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  state: z.enum(['running', 'exited', 'killed']),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  callId: z.string().nullable().describe('The call that started it'),
  isBackground: z.boolean().describe('false: its call still waits for it, and it can be sent to the background'),
  cursor: z.number().describe('How many characters it has written'),
  processes: z.array(ShellProcess).describe("What it started that is still running, and so why it hasn't ended"),
});
export type ShellView = z.infer<typeof ShellView>;

export const ShellList = z.object({ shells: z.array(ShellView) });

export const ShellOutput = z.object({
  pieces: z.array(z.object({ stream: z.enum(['stdout', 'stderr']), at: z.number(), text: z.string() })),
  cursor: z.number().describe('Ask for what comes after this'),
  missed: z.number().describe('Dropped characters before the first piece'),
});
export type ShellOutput = z.infer<typeof ShellOutput>;

export const ShellOutputQuery = z.object({
  after: z.coerce.number().int().min(0).default(0).describe('The cursor of the last answer'),
  search: z.string().min(1).max(1000).optional().describe('Only lines that contain this'),
});

/** An operator's query about a session's shells. The runner that hosts the session answers. */
export const ShellCommand = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list') }),
  z.object({ do: z.literal('read'), shellId: z.string(), after: z.number() }),
  z.object({ do: z.literal('search'), shellId: z.string(), text: z.string() }),
  z.object({ do: z.literal('kill'), shellId: z.string() }),
  z.object({ do: z.literal('kill_call'), callId: z.string() }),
  z.object({ do: z.literal('background'), callId: z.string() }),
]);
export type ShellCommand = z.infer<typeof ShellCommand>;

/** A session's shells changed. Not stored: a client that connects later fetches them. */
export const ShellsChanged = z.object({
  sessionId: z.string(),
  list: z.boolean().describe('One started, ended or moved to the background'),
  output: z.array(z.string()).max(1000).describe('Shells that wrote something'),
});
export type ShellsChanged = z.infer<typeof ShellsChanged>;

export const ShellKilled = z.object({
  left: z.array(z.number()).describe('Processes that could not be ended: normally none'),
});
