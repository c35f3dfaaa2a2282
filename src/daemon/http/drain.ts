import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOOK_PATH } from '../../contract/routes/hooks.ts';

/** Long enough for a busy session to send another hook and be told to reconnect. */
const RETIRE_MS = 250;
/** On a loaded machine it gets a turn less often, but we don't wait for one that thinks longer. */
const RETIRE_AT_MOST_MS = 2000;
/** A connection silent for this long is probably still silent when it is closed, so nobody notices. */
const SILENT_MS = 1000;
/** Long enough for a just-accepted connection to send its request. */
const SETTLE_MS = 100;
const PATIENCE_MS = 2000;

/**
 * Before the server closes: open requests get their answers, and connections kept open for the next hook are closed after an answer. One
 * that is cut in between shows as an error in a session.
 */
export function prepareDrain(server: Server, now: () => number = Date.now): () => Promise<void> {
  /** Connections that carried hooks and may again, and when they last did. */
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
    // Stops accepting. The HTTP server's own close would also cut connections that haven't sent anything yet.
    NetServer.prototype.close.call(server);
    await sleep(SETTLE_MS);
    for (const waited = since(now); open > 0 && waited() < PATIENCE_MS; ) await sleep(10);
  };
}

function since(now: () => number): () => number {
  const start = now();
  return () => now() - start;
}
