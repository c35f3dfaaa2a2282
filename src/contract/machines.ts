import { z } from 'zod';
import { MACHINE_ID } from './session-ref.ts';

/** One daemon's host. */
export const Machine = z.object({
  id: z.string().regex(MACHINE_ID),
  name: z.string().describe('Its display name: the host name unless changed'),
});
export type Machine = z.infer<typeof Machine>;

export const MachineList = z.object({
  machines: z.array(Machine.extend({ isLocal: z.boolean().describe('The machine that sent this response') })),
});
export type MachineList = z.infer<typeof MachineList>;
