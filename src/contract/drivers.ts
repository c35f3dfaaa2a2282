import { z } from 'zod';

/** How a session is reached. */
export const DRIVER_KINDS = ['terminal', 'runner'] as const;
export type DriverKind = (typeof DRIVER_KINDS)[number];

/** What can be done to a session through its driver. A client offers only this. */
export const Capabilities = z.object({
  stop: z.boolean().describe('Its turn can be stopped'),
  endProcess: z.boolean().describe('Its process can be ended'),
  prompt: z.boolean().describe('It takes prompts. If not, `noPrompts` says why'),
  resume: z.boolean().describe('Can be resumed from a terminal after it ends'),
  settings: z.boolean().describe('Its model, permission mode, allowed tools and budget can be changed while it runs'),
  shells: z.boolean().describe('The commands it runs can be watched, searched, sent to the background and killed'),
  rewind: z.boolean().describe('It can go back to an earlier prompt, with its files'),
});
export type Capabilities = z.infer<typeof Capabilities>;

export const SessionDriver = z.object({ kind: z.enum(DRIVER_KINDS), capabilities: Capabilities });
export type SessionDriver = z.infer<typeof SessionDriver>;
