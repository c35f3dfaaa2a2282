import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorBody } from '../../../../contract/errors.ts';
import { HOOK_PATH } from '../../../../contract/routes/hooks.ts';

/**
 * A running client still calls hooks that have left its settings: it takes a change up only when the file has been
 * quiet for a second (measured on 2.1.325: 1.0 to 1.1 s; more on a machine that is busy with something else).
 */
const STAY_MS = 4000;
/** A stand-in that is just starting already has the port, but answers only when its program is loaded. */
const ASK_MS = 5000;
const POLL_MS = 20;
/** Sent by a daemon that waits for the port. No page of a browser can send it unasked. */
const SUCCESSOR_HEADER = 'x-groundcontrol-successor';

const GONE: ErrorBody = {
  error: {
    code: 'daemon.stand_in',
    message: 'The daemon has stopped. This stand-in only lets sessions continue. Start the daemon: gctl up',
  },
};

export interface StandIn {
  port: number;
  /** Resolves when it has gone: a while after this was called, or as soon as a daemon asks for the port. */
  leaveSoon(): Promise<void>;
}

/**
 * Answers hooks in the place of a daemon that is gone, since the client shows an error for each that finds nobody. Takes
 * over the daemon's own socket, or an empty port. Undefined: somebody else has it.
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

/** Whoever starts on a port that a stand-in still has asks for it, and waits until it leaves. */
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
