import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ASK_PATH } from '../../contract/routes/hooks.ts';
import type { Guard } from '../access/guard.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Deliveries } from '../approvals/deliveries.ts';
import { releaseTo } from '../approvals/hold-time.ts';
import type { IsHosted } from '../drivers/runner/own-hooks.ts';
import { ENTRYPOINT_HEADER, readEntrypoint } from '../drivers/terminal/intake/entrypoint.ts';
import { type HookAsker, type HookCaller, type Intake, takeHook } from '../drivers/terminal/intake/intake.ts';
import type { ReadHook } from '../drivers/terminal/intake/read-hook.ts';
import { isSameQuestion } from '../drivers/terminal/permission/hold-approvals.ts';
import { toPermissionCall } from '../drivers/terminal/permission/hook-permissions.ts';
import type { ResumeAsk } from '../drivers/terminal/permission/resume-ask.ts';
import { ASKER_HEADER, CLOSED, DELIVERED } from '../drivers/terminal/settings/ask-person-command.ts';
import { DomainError } from '../errors.ts';
import type { HookSource } from '../peers/hook-source.ts';
import { hangUps, readClientPid, readHookBody } from './hook-request.ts';

const KEY = /^[\w.-]{1,100}$/;

export interface AskContext {
  guard: Guard;
  hookSource: HookSource;
  isHosted: IsHosted;
  intake: Intake;
  approvals: Approvals;
  deliveries: Deliveries;
  resumeAsk: ResumeAsk;
}

/**
 * Where a hook process asks the operator and waits. 200: our answer, which it passes on and then confirms. 204: no answer, the client
 * decides. 503: reconnect, we are about to be replaced.
 */
export function askEndpoint({ guard, hookSource, isHosted, intake, approvals, deliveries, resumeAsk }: AskContext) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, url } = request;
    guard.check({ access: 'hook', method: 'POST', headers });
    const asker = readAsker(headers);
    switch (url) {
      case ASK_PATH:
        return ask(request, response, asker);
      case ASK_PATH + DELIVERED:
        await checkAsker(request, asker);
        // the client takes what was printed when the process has ended, and it ends once it has this answer
        deliveries.confirmed(asker.key, () => send(response, 204));
        return;
      case ASK_PATH + CLOSED:
        await checkAsker(request, asker);
        // The sender is about to exit and doesn't wait for our response.
        send(response, 204);
        return deliveries.closed(asker.key);
      default:
        throw new DomainError('request.not_found', 404, `POST ${url} does not exist.`);
    }
  };

  /** The names of hook processes can be guessed. */
  async function checkAsker(request: IncomingMessage, { key }: HookAsker): Promise<void> {
    const known = approvals.findAsker(key);
    if (known) await hookSource.check(approvals.get(known.approvalId).sessionId, request);
  }

  async function ask(request: IncomingMessage, response: ServerResponse, asker: HookAsker): Promise<void> {
    const entrypoint = readEntrypoint(request.headers[ENTRYPOINT_HEADER]);
    const hook = await readHookBody(request);
    await hookSource.check(hook.payload.session_id, request);
    if (await isHosted(hook.payload, request.socket)) return send(response, 204);
    const { onHangUp } = hangUps(response);
    const said = JSON.stringify(await answerTo(hook, { entrypoint, asker, client: { pid: asker.pid }, onHangUp }));
    if (said !== '{}') return send(response, 200, said);
    send(response, approvals.isLeaving && showsDialog(hook, entrypoint) ? 503 : 204);
  }

  function answerTo(hook: ReadHook, caller: HookCaller & { asker: HookAsker }) {
    const known = approvals.findAsker(caller.asker.key);
    // One that reconnects with different input asks a different question.
    if (!known || !isSameQuestion(approvals.get(known.approvalId), hook.payload)) return takeHook(hook, intake, caller);
    const hungUp = new AbortController();
    caller.onHangUp(() => hungUp.abort());
    return resumeAsk(known, hook, hungUp);
  }
}

/** The client shows the dialog while we hold the request, so nobody minds waiting for the next daemon. */
function showsDialog({ payload }: ReadHook, entrypoint: string | undefined): boolean {
  const call = toPermissionCall(payload);
  return call !== undefined && releaseTo({ entrypoint, agentId: call.agentId, kind: call.kind }) === undefined;
}

function readAsker(headers: IncomingHttpHeaders): HookAsker {
  const key = headers[ASKER_HEADER];
  if (typeof key !== 'string' || !KEY.test(key))
    throw new DomainError('hook.bad_asker', 400, `${ASKER_HEADER} must name the requesting process.`);
  return { key, pid: readClientPid(headers) };
}

function send(response: ServerResponse, status: number, body = ''): void {
  const type = body ? { 'content-type': 'application/json' } : {};
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(body) }).end(body);
}
