import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOOK_PATH } from '../hooks/own-hook.ts';

/** Long enough for a session at work to come again and be told to connect anew. */
const RETIRE_MS = 250;
/** Long enough for a connection that was just taken to say what it wants. */
const SETTLE_MS = 100;
const PATIENCE_MS = 2000;

/**
 * Before the server closes: what is being answered gets its answer, and connections that are kept for the next hook are
 * ended at the end of an answer. One that is cut in between shows as an error in a session.
 */
export async function drain(server: Server): Promise<void> {
  let open = 0;
  server.prependListener('request', ({ method, url }: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
    if (method !== 'POST' || url !== HOOK_PATH) return;
    open++;
    response.once('close', () => open--);
  });
  await sleep(RETIRE_MS);
  // takes no more; the http server's own close would also cut connections that have not spoken yet
  NetServer.prototype.close.call(server);
  await sleep(SETTLE_MS);
  for (const end = Date.now() + PATIENCE_MS; open > 0 && Date.now() < end; ) await sleep(10);
}
