import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOOK_PATH } from '../../contract/routes/hooks.ts';

/** Long enough for a session at work to come again and be told to connect anew. */
const RETIRE_MS = 250;
/** A machine under load gives it less often a turn; but one that thinks for longer is not waited for. */
const RETIRE_AT_MOST_MS = 2000;
/** One that was silent for so long is most likely silent when it is ended, and then nobody notices. */
const SILENT_MS = 1000;
/** Long enough for a connection that was just taken to say what it wants. */
const SETTLE_MS = 100;
const PATIENCE_MS = 2000;

/**
 * For the time before the server closes: what is being answered gets its answer, and connections that are kept for the next
 * hook are ended at the end of an answer. One that is cut in between shows as an error in a session.
 */
export function prepareDrain(server: Server, now: () => number = Date.now): () => Promise<void> {
  /** Connections that hooks came by and may come again, and when they last did. */
  const kept = new Map<Socket, number>();
  const mayComeAgain = () => [...kept.values()].some((at) => now() - at < SILENT_MS);
  let open = 0;
  let isLeaving = false;
  server.prependListener('request', ({ method, url, socket }: IncomingMessage, response: ServerResponse) => {
    if (isLeaving) response.setHeader('connection', 'close');
    if (method !== 'POST' || !url?.startsWith(HOOK_PATH)) return;
    open++;
    const isNew = !kept.has(socket);
    const note = () => kept.set(socket, now());
    note();
    response.once('close', () => {
      open--;
      if (!socket.destroyed) note();
    });
    if (isNew) socket.once('close', () => kept.delete(socket));
  });
  return async () => {
    isLeaving = true;
    const elapsed = since(now);
    while (elapsed() < RETIRE_MS || (mayComeAgain() && elapsed() < RETIRE_AT_MOST_MS)) await sleep(10);
    // takes no more; the http server's own close would also cut connections that have not spoken yet
    NetServer.prototype.close.call(server);
    await sleep(SETTLE_MS);
    for (const waited = since(now); open > 0 && waited() < PATIENCE_MS; ) await sleep(10);
  };
}

function since(now: () => number): () => number {
  const start = now();
  return () => now() - start;
}
