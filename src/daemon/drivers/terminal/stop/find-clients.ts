import { type PidFile, readPidFiles } from '../../../processes/pid-files.ts';
import type { Process } from '../../../processes/read-processes.ts';
import type { Session } from '../../../sessions/session.ts';

/** A live process of a session, with its own status; none if it is an older version. */
export interface SessionClient {
  process: Process;
  file: PidFile | undefined;
}

/** Read each time: a process that switched to another session (`/clear`) must not be touched for this one. */
export async function findClients(
  table: Process[],
  { configDir, sessionId, known }: { configDir: string; sessionId: string; known: NonNullable<Session['process']>[] },
): Promise<SessionClient[]> {
  const files = await readPidFiles(configDir);
  const clients = new Map<number, SessionClient>();
  const add = (pid: number, start: string | null | undefined, file: PidFile | undefined) => {
    const isSame = (one: Process) => !start || process.platform !== 'linux' || one.start === start;
    const found = table.find((one) => one.pid === pid && isSame(one));
    if (found) clients.set(pid, { process: found, file });
  };
  for (const file of files) if (file.sessionId === sessionId) add(file.pid, file.procStart, file);
  for (const { pid, start } of known) if (!files.some((file) => file.pid === pid)) add(pid, start, undefined);
  return [...clients.values()];
}
