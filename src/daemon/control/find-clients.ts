import { type PidFile, readPidFiles } from '../processes/pid-files.ts';
import type { Process } from '../processes/read-processes.ts';
import type { Session } from '../sessions/session.ts';

/** A living process of a session, with what it says of itself: nothing, if it is of an older version. */
export interface Client {
  process: Process;
  file: PidFile | undefined;
}

/** Read anew each time: a process that has gone on with another session (`/clear`) must not be touched for this one. */
export async function findClients(
  table: Process[],
  { configDir, sessionId, known }: { configDir: string; sessionId: string; known: Session['process'] },
): Promise<Client[]> {
  const files = await readPidFiles(configDir);
  const living = (pid: number, start: string | null | undefined) =>
    table.find((one) => one.pid === pid && (!start || process.platform !== 'linux' || one.start === start));
  const clients = files
    .filter((file) => file.sessionId === sessionId)
    .flatMap((file) => {
      const found = living(file.pid, file.procStart);
      return found ? [{ process: found, file }] : [];
    });
  if (!known || files.some(({ pid }) => pid === known.pid)) return clients;
  const found = living(known.pid, known.start);
  return found ? [...clients, { process: found, file: undefined }] : clients;
}
