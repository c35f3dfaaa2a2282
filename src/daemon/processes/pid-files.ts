import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The client's own status in `<config>/sessions/<pid>.json`. */
const PidFile = z.object({
  pid: z.number().int().positive(),
  sessionId: z.string().min(1),
  cwd: z.string().optional(),
  procStart: z.string().optional(),
  version: z.string().optional(),
  kind: z.string().optional(),
  entrypoint: z.string().optional(),
  status: z.string().optional(),
  waitingFor: z.string().optional(),
  statusUpdatedAt: z.number().optional(),
});
export type PidFile = z.infer<typeof PidFile>;

export const pidFolder = (configDir: string) => join(configDir, 'sessions');

/** Every readable pid file. Half-written files and unknown formats are skipped: the next check finds them. */
export async function readPidFiles(configDir: string): Promise<PidFile[]> {
  const folder = pidFolder(configDir);
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.filter((name) => /^\d+\.json$/.test(name)).map((name) => readOne(join(folder, name))),
  );
  return files.filter((file) => file !== undefined);
}

/** undefined: this process isn't a client, or writes no file. */
export function readPidFile(configDir: string, pid: number): Promise<PidFile | undefined> {
  return readOne(join(pidFolder(configDir), `${pid}.json`));
}

async function readOne(path: string): Promise<PidFile | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    return PidFile.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
