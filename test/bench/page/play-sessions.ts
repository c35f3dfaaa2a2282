import { HOOK_TOKEN_HEADER } from '../../../src/daemon/access/guard.ts';
import type { DaemonProcess } from '../../kit/daemon-process.ts';
import { type FleetRun, playFleet } from '../../kit/simulator.ts';

/** Permissions are answered at the terminal: the client would otherwise keep the connection and hold up the others. */
const ANSWER_MS = 200;

interface Options {
  sessions: number;
  /** Events per second. */
  rate: number;
  count?: number;
  signal?: AbortSignal;
}

/** Simulated sessions that post to whichever daemon is running. */
export function playSessions(daemon: () => DaemonProcess, options: Options): Promise<FleetRun> {
  const run = playFleet({ seed: 7, post: (payload) => post(daemon(), payload), ...options });
  // the awaiting code gets the error later; keep measuring until then
  run.catch(() => undefined);
  return run;
}

async function post({ url, credentials }: DaemonProcess, payload: { hook_event_name: string }): Promise<void> {
  const asks = payload.hook_event_name === 'PermissionRequest';
  try {
    const answer = await fetch(`${url}/api/live/hook`, {
      method: 'POST',
      headers: { [HOOK_TOKEN_HEADER]: credentials.hookToken },
      body: JSON.stringify(payload),
      ...(asks ? { signal: AbortSignal.timeout(ANSWER_MS) } : {}),
    });
    await answer.arrayBuffer();
  } catch (error) {
    if (!asks || (error as Error).name !== 'TimeoutError') throw error;
  }
}
