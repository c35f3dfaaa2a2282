import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ENTRYPOINT_HEADER, readEntrypoint } from '../hooks/entrypoint.ts';
import { takeHook } from '../hooks/intake.ts';
import { HOOK_PATH, STRICT_PATH } from '../hooks/own-hook.ts';
import { MAX_HOOK_BYTES, type ReadHook, readHook } from '../hooks/read-hook.ts';
import { type Door, SharedCalls } from '../hooks/shared-calls.ts';
import type { Context } from './context.ts';
import { toAnswer } from './errors.ts';

const OK = { 'content-type': 'application/json', 'content-length': '2' };

/**
 * The one route that agents wait on, before the framework: an agent with a hundred tool calls passes here three
 * hundred times, and routing, schemas and hooks of the framework would be a third of what each costs.
 */
export function hookDoor(
  { guard, intake, strict }: Pick<Context, 'guard' | 'intake' | 'strict'>,
  { log, others }: { log: Logger; others: RequestListener },
): RequestListener {
  const calls = new SharedCalls({ isActive: strict.any });
  return (request, response) => {
    const door = request.method === 'POST' ? doorOf(request.url ?? '') : undefined;
    if (!door) return others(request, response);
    answer(request, response, door).catch((error) => {
      const refusal = toAnswer(error);
      if (refusal.status >= 500) log.error({ err: error }, 'a hook could not be taken');
      sendJson(response, refusal);
    });
  };

  async function answer(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
    guard.check({ access: 'hook', method: 'POST', headers: request.headers });
    const onHangUp = (listener: () => void) => {
      if (response.closed) listener();
      else response.once('close', listener);
    };
    const entrypoint = readEntrypoint(request.headers[ENTRYPOINT_HEADER]);
    const said = await takeHook(await readBody(request), intake, { entrypoint, onHangUp }, calls.at(door));
    const text = JSON.stringify(said);
    response.writeHead(200, text === '{}' ? OK : { ...OK, 'content-length': String(Buffer.byteLength(text)) });
    response.end(text);
  }
}

function doorOf(url: string): Door | undefined {
  if (url === HOOK_PATH) return 'user';
  return url.split('?', 1)[0] === STRICT_PATH ? 'project' : undefined;
}

const LARGE_BYTES = 1024 * 1024;
let lastLarge = Promise.resolve();

/** Large hooks that arrive together take turns, with everything else in between. */
function turnFor(size: number): Promise<void> {
  if (size < LARGE_BYTES) return Promise.resolve();
  lastLarge = lastLarge.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastLarge;
}

/** What is larger than a hook may be is read to its end all the same: a client that is cut off reports an error. */
function readBody(request: IncomingMessage): Promise<ReadHook> {
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

function sendJson(response: ServerResponse, { status, body }: { status: number; body: unknown }): void {
  const text = JSON.stringify(body);
  // whoever was refused may still be sending: the connection is not used again
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  response.end(text);
}
