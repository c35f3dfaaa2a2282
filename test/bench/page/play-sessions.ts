import { Agent, request } from 'node:http';
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

/** As many as a process may open, with room for the rest of the benchmark. */
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

async function post(daemon: DaemonProcess, payload: { hook_event_name: string }): Promise<void> {
  const { url, credentials } = daemon;
  const asks = payload.hook_event_name === 'PermissionRequest';
  const body = Buffer.from(JSON.stringify(payload));
  const headers = { [HOOK_TOKEN_HEADER]: credentials.hookToken, 'content-length': body.length };
  await new Promise<void>((resolve, reject) => {
    const sent = request(`${url}/api/live/hook`, { method: 'POST', headers, agent }, (answer) => {
      answer.on('end', resolve).on('error', reject).resume();
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // the daemon closed an idle connection just as it was used again
      if (sent.reusedSocket && error.code === 'ECONNRESET' && !asks) post(daemon, payload).then(resolve, reject);
      else if (asks) resolve();
      else reject(error);
    });
    if (asks) sent.setTimeout(ANSWER_MS, () => sent.destroy());
    sent.end(body);
  });
}
