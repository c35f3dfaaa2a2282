import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HookCaller } from '../drivers/terminal/intake/intake.ts';
import { findExcess, MAX_HOOK_BYTES, type ReadHook, readChecked } from '../drivers/terminal/intake/read-hook.ts';
import { CLIENT_HEADER } from '../drivers/terminal/settings/own-hook.ts';

const LARGE_BYTES = 1024 * 1024;
let lastLarge = Promise.resolve();

/** Large hooks that arrive together, and the steps of reading one, yield to everything else in between. */
function nextTurn(): Promise<void> {
  lastLarge = lastLarge.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastLarge;
}

/** An oversized hook is still read to its end: a client that is cut off reports an error. */
export async function readHookBody(request: IncomingMessage): Promise<ReadHook> {
  const { chunks, size } = await readChunks(request);
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  const isCut = size > MAX_HOOK_BYTES;
  if (size < LARGE_BYTES) return readChecked(bytes, findExcess(bytes, { isCut }));
  await nextTurn();
  const excess = findExcess(bytes, { isCut });
  await nextTurn();
  return readChecked(bytes, excess);
}

function readChunks(request: IncomingMessage): Promise<{ chunks: Buffer[]; size: number }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      if (size < MAX_HOOK_BYTES) chunks.push(chunk.subarray(0, MAX_HOOK_BYTES - size));
      size += chunk.length;
    });
    request.on('end', () => resolve({ chunks, size }));
    request.on('error', reject);
  });
}

/** null: the client didn't say; an HTTP hook can't. */
export function readClientPid(headers: IncomingHttpHeaders): number | null {
  const pid = Number(headers[CLIENT_HEADER]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : null;
}

/** What the connection reveals while a hook waits for its answer. */
export function hangUps(response: ServerResponse): Required<Pick<HookCaller, 'onHangUp' | 'onSent'>> {
  const whenClosed = (listener: () => void) => {
    if (response.closed) listener();
    else response.once('close', listener);
  };
  return { onHangUp: whenClosed, onSent: (listener) => whenClosed(() => listener(response.writableFinished)) };
}
