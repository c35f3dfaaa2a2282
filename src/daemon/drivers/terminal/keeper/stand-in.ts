import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorBody } from '../../../../contract/errors.ts';
import { HOOK_PATH } from '../../../../contract/routes/hooks.ts';

/**
 * A running client still calls hooks after they left its settings: it picks up a change only after the file has been quiet for a second
 * (measured on 2.1.325: 1.0 to 1.1 s; more on a busy machine).
 */
const STAY_MS = 4000;
/** A stand-in that is starting already has the port, but answers only once its program has loaded. */
const ASK_MS = 5000;
const POLL_MS = 20;
/** Sent by a daemon that waits for the port. No web page can send it without preflight. */
const SUCCESSOR_HEADER = 'x-groundcontrol-successor';

const GONE: ErrorBody = {
  error: {
    code: 'daemon.stand_in',
    message: 'The daemon has stopped. This stand-in only lets sessions continue. Start the daemon: gctl up',
  },
};

export interface StandIn {
  port: number;
  /** Resolves when it is gone: a while after this call, or as soon as a daemon asks for the port. */
  leaveSoon(): Promise<void>;
}

/**
 * Answers hooks in place of a dead daemon, since the client shows an error for each hook that nothing answers. Takes over the daemon's own
 * socket, or a free port. undefined: someone else has it.
 */
export async function standIn(
  where: { fd: number } | { port: number },
  { stayMs = STAY_MS } = {},
): Promise<StandIn | undefined> {
  const successor = new AbortController();
  const server = createServer((request, response) => {
    if (request.headers[SUCCESSOR_HEADER] !== undefined) successor.abort();
    answer(request, response);
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen('fd' in where ? where : { ...where, host: '127.0.0.1' }, () => resolve(true));
  });
  if (!isListening) return undefined;
  return {
    port: (server.address() as AddressInfo).port,
    async leaveSoon() {
      await sleep(stayMs, undefined, { signal: successor.signal }).catch(() => undefined);
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const isHook = request.method === 'POST' && request.url === HOOK_PATH;
  response.writeHead(isHook ? 200 : 503, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(isHook ? {} : GONE));
}

/** Asks a stand-in for its port and waits until it leaves. */
export async function waitForStandIn(port: number): Promise<void> {
  while (await isStandIn(port)) await sleep(POLL_MS);
}

async function isStandIn(port: number): Promise<boolean> {
  const asking = fetch(`http://127.0.0.1:${port}/healthz`, {
    headers: { [SUCCESSOR_HEADER]: '1' },
    signal: AbortSignal.timeout(ASK_MS),
  });
  const said = await asking.then((answer) => answer.text()).catch(() => '');
  return said === JSON.stringify(GONE);
}
