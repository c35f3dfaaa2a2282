import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOOK_PATH } from '../hooks/own-hook.ts';

/** Long enough for a session at work to come again and be told to connect anew. */
const RETIRE_MS = 250;
/** A machine under load gives it less often a turn; but one that thinks for longer is not waited for. */
const RETIRE_AT_MOST_MS = 2000;
/** Long enough for a connection that was just taken to say what it wants. */
const SETTLE_MS = 100;
const PATIENCE_MS = 2000;

/**
 * For the time before the server closes: what is being answered gets its answer, and connections that are kept for the next
 * hook are ended at the end of an answer. One that is cut in between shows as an error in a session.
 */
export function prepareDrain(server: Server): () => Promise<void> {
  /** Connections that hooks came by and may come again. */
  const kept = new Set<Socket>();
  let open = 0;
  let isLeaving = false;
  server.prependListener('request', ({ method, url, socket }: IncomingMessage, response: ServerResponse) => {
    if (isLeaving) response.setHeader('connection', 'close');
    if (method !== 'POST' || !url?.startsWith(HOOK_PATH)) return;
    open++;
    response.once('close', () => open--);
    if (kept.has(socket)) return;
    kept.add(socket);
    socket.once('close', () => kept.delete(socket));
  });
  return async () => {
    isLeaving = true;
    const elapsed = since(Date.now());
    while (elapsed() < RETIRE_MS || (kept.size > 0 && elapsed() < RETIRE_AT_MOST_MS)) await sleep(10);
    // takes no more; the http server's own close would also cut connections that have not spoken yet
    NetServer.prototype.close.call(server);
    await sleep(SETTLE_MS);
    for (const waited = since(Date.now()); open > 0 && waited() < PATIENCE_MS; ) await sleep(10);
  };
}

const since = (start: number) => () => Date.now() - start;
