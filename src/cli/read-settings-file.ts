import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CliError, EXIT } from './exit.ts';

/** Settings in `.groundcontrol/config.json`, in a project or in the data dir. */
const SettingsFile = z
  .object({
    projectDir: z.string().min(1).optional(),
    sessionsDir: z.string().min(1).optional(),
    agentsDir: z.string().min(1).optional(),
    observabilityUrl: z.url().optional(),
    observabilityEnabled: z.boolean().optional(),
    enableLogging: z.boolean().optional(),
    approvalTimeout: z.number().int().positive().optional(),
  })
  .strict();
export type SettingsFile = z.infer<typeof SettingsFile>;

export function readSettingsFile(path: string): SettingsFile {
  try {
    return SettingsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new CliError(`${path} can't be used: ${why}`, EXIT.usage);
  }
}
