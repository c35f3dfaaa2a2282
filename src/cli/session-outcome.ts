import type { Client } from '../client/client.ts';
import { isFinished } from '../contract/lifecycles.ts';
import type { OrchestratedSession, SessionResult } from '../contract/orchestration.ts';
import { getSessionResult, waitForSessions } from '../contract/routes/orchestration.ts';
import { EXIT } from './exit.ts';
import { complain, printLines, toSafeJson } from './output.ts';

const POLL_SECONDS = 50;
const INTERRUPTED = 130;

/** The exit code for how a session ended. */
const CODES = { succeeded: EXIT.ok, archived: EXIT.ok, failed: EXIT.failed, cancelled: INTERRUPTED } as const;

export function exitCodeOfSession({ lifecycle }: Pick<OrchestratedSession, 'lifecycle'>): number {
  return isFinished(lifecycle) ? CODES[lifecycle as keyof typeof CODES] : EXIT.ok;
}

/** Waits until all sessions have finished, or any one of them. Survives a restart of the daemon. */
export async function waitUntilFinished(
  api: Client,
  ids: string[],
  { any = false, signal }: { any?: boolean; signal?: AbortSignal } = {},
): Promise<OrchestratedSession[]> {
  for (;;) {
    const query = { sessions: ids.join(','), any: String(any), timeoutSeconds: POLL_SECONDS };
    const { sessions, isDone } = await api.call(waitForSessions, { query });
    if (isDone) return sessions;
    signal?.throwIfAborted();
  }
}

/** Waits for its answer and prints it. Ctrl-C detaches; the session keeps running. */
export async function showOutcome(
  api: Client,
  { id, name }: OrchestratedSession,
  { json = false } = {},
): Promise<void> {
  const detach = () => {
    complain(
      `"${name}" keeps running. See it: gctl status ${name}. Wait again: gctl wait ${name}. Stop it: gctl stop ${name}`,
    );
    process.exit(EXIT.ok);
  };
  process.once('SIGINT', detach);
  await waitUntilFinished(api, [id]);
  process.removeListener('SIGINT', detach);
  const result = await api.call(getSessionResult, { params: { id } });
  printResult(result, { json });
  process.exitCode = exitCodeOfSession(result);
}

/** The answer alone on stdout; what went wrong on stderr. */
export function printResult(result: SessionResult, { json = false } = {}): void {
  if (json) process.stdout.write(`${toSafeJson(result)}\n`);
  else if (result.json !== undefined) process.stdout.write(`${toSafeJson(result.json)}\n`);
  else if (result.text !== null) printLines(result.text);
  if (!json && result.error !== null) complain(result.error);
}
