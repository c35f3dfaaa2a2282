import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ASK_PATH, HOOK_PATH, STRICT_PATH } from '../../contract/routes/hooks.ts';
import { ENTRYPOINT_HEADER, readEntrypoint } from '../drivers/terminal/intake/entrypoint.ts';
import { takeHook } from '../drivers/terminal/intake/intake.ts';
import { type Door, SharedCalls } from '../drivers/terminal/intake/shared-calls.ts';
import type { StrictControl } from '../drivers/terminal/strict/strict-control.ts';
import { socketOwner } from '../processes/socket-owner.ts';
import { type AskContext, askEndpoint } from './ask-endpoint.ts';
import { toAnswer } from './errors.ts';
import { hangUps, readClientPid, readHookBody } from './hook-request.ts';

const OK = { 'content-type': 'application/json', 'content-length': '2' };

/**
 * The one route agents wait on, handled before the framework: an agent with a hundred tool calls comes through here three hundred times,
 * and the framework's routing, schemas and hooks would be a third of each one's cost.
 */
export function hookEndpoint(
  context: AskContext & { strict: StrictControl },
  { log, others }: { log: Logger; others: RequestListener },
): RequestListener {
  const { guard, hookSource, intake, strict } = context;
  const calls = new SharedCalls({ isActive: strict.any });
  const ask = askEndpoint(context);
  return (request, response) => {
    const { method, url = '' } = request;
    const door = method === 'POST' ? doorOf(url) : undefined;
    const isAsk = method === 'POST' && url.startsWith(ASK_PATH);
    if (!door && !isAsk) return others(request, response);
    (door ? answer(request, response, door) : ask(request, response)).catch((error) => {
      const refusal = toAnswer(error);
      if (refusal.status >= 500) log.error({ err: error }, 'a hook could not be processed');
      sendJson(response, refusal);
    });
  };

  async function answer(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
    guard.check({ access: 'hook', method: 'POST', headers: request.headers });
    const entrypoint = readEntrypoint(request.headers[ENTRYPOINT_HEADER]);
    const among = (pids: readonly number[]) => socketOwner(request.socket, pids);
    const client = { pid: readClientPid(request.headers), among };
    const caller = { entrypoint, client, ...hangUps(response) };
    const hook = await readHookBody(request);
    await hookSource.check(hook.payload.session_id, request);
    const isHosted = await context.isHosted(hook.payload, request.socket);
    const said = isHosted ? {} : await takeHook(hook, intake, caller, calls.at(door));
    const text = JSON.stringify(said);
    response.writeHead(200, text === '{}' ? OK : { ...OK, 'content-length': String(Buffer.byteLength(text)) });
    response.end(text);
  }
}

function doorOf(url: string): Door | undefined {
  if (url === HOOK_PATH) return 'user';
  return url.split('?', 1)[0] === STRICT_PATH ? 'project' : undefined;
}

function sendJson(response: ServerResponse, { status, body }: { status: number; body: unknown }): void {
  const text = JSON.stringify(body);
  // A refused caller may still be sending, so the connection isn't reused.
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  response.end(text);
}
