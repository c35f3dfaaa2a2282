import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HookCaller } from '../drivers/terminal/intake/intake.ts';
import { MAX_HOOK_BYTES, type ReadHook, readHook } from '../drivers/terminal/intake/read-hook.ts';
import { CLIENT_HEADER } from '../drivers/terminal/settings/own-hook.ts';

const LARGE_BYTES = 1024 * 1024;
let lastLarge = Promise.resolve();

/** Large hooks that arrive together take turns, with everything else in between. */
function turnFor(size: number): Promise<void> {
  if (size < LARGE_BYTES) return Promise.resolve();
  lastLarge = lastLarge.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastLarge;
}

/** What is larger than a hook may be is read to its end all the same: a client that is cut off reports an error. */
export function readHookBody(request: IncomingMessage): Promise<ReadHook> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      if (size < MAX_HOOK_BYTES) chunks.push(chunk.subarray(0, MAX_HOOK_BYTES - size));
      size += chunk.length;
    });
    request.on('end', () => {
      const read = () =>
        readHook(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), { isCut: size > MAX_HOOK_BYTES });
      turnFor(size).then(read).then(resolve, reject);
    });
    request.on('error', reject);
  });
}

/** Null: the client does not say; an http hook cannot. */
export function readClientPid(headers: IncomingHttpHeaders): number | null {
  const pid = Number(headers[CLIENT_HEADER]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : null;
}

/** What the connection tells while a hook waits for its answer. */
export function hangUps(response: ServerResponse): Required<Pick<HookCaller, 'onHangUp' | 'onSent'>> {
  const whenClosed = (listener: () => void) => {
    if (response.closed) listener();
    else response.once('close', listener);
  };
  return { onHangUp: whenClosed, onSent: (listener) => whenClosed(() => listener(response.writableFinished)) };
}
