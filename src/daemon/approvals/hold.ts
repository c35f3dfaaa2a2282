import { createHash } from 'node:crypto';
import type { Approval } from '../../contract/approvals.ts';
import type { HookPayload } from '../../contract/hooks.ts';
import type { Core } from '../core.ts';
import { entrypointOf } from '../hooks/entrypoint.ts';
import type { TakenHook } from '../hooks/intake.ts';
import type { PermissionCall } from '../permissions/permission-call.ts';
import { ELICITATION, hashInput, inputHashOf } from '../sessions/actors.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Session, ToolCall } from '../sessions/session.ts';
import type { Approvals, Ask } from './approvals.ts';
import { releaseTo } from './hold-time.ts';
import { readPlan } from './read-plan.ts';

/** A hook whose connection broke (we were restarted) may come back within this; then its dialog is on its own. */
const REATTACH_MS = 10_000;
const LOOK_MS = 500;

export interface HoldOptions {
  core: Core;
  approvals: Approvals;
  /** How long a request that no terminal shows is held at most. */
  holdMs: () => number;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * Turns a client's dialogs into questions for the operator, and settles those that were answered at the keyboard: the client
 * does not tell us, but what follows in the session does.
 */
export function holdApprovals({ core, approvals, holdMs, now, onError }: HoldOptions): {
  questionOf(hook: TakenHook, call: PermissionCall): Promise<Ask>;
  stop(): void;
} {
  const { live } = core;
  const startedAt = now();
  core.observe((event) => {
    for (const approval of [...approvals.pending()]) {
      if (approval.sessionId !== event.sessionId || event.name.startsWith('approval.') || approval.origin !== 'hook')
        continue;
      const outcome = settledBy(approval, live.get(approval.sessionId));
      if (outcome) approvals.close(approval.id, outcome).catch(onError);
    }
  });
  const timer = setInterval(() => {
    for (const approval of [...approvals.pending()]) {
      if (approval.origin === 'hook' && isAbandoned(approval)) approvals.close(approval.id, 'expired').catch(onError);
    }
  }, LOOK_MS);

  function isAbandoned({ id, createdAt }: Approval): boolean {
    return !approvals.isWaitedFor(id) && now() - Math.max(createdAt, startedAt) > REATTACH_MS;
  }

  async function questionOf(
    hook: TakenHook,
    { sessionId, agentId, kind, toolName, cwd }: PermissionCall,
  ): Promise<Ask> {
    const { payload } = hook;
    const call = findCall(live, payload);
    const to = releaseTo({ entrypoint: entrypointOf(hook, live), agentId, kind });
    return {
      origin: 'hook',
      correlationId: correlationOf(payload, call, approvals),
      sessionId,
      agentId,
      kind,
      toolName: toolName || 'tool',
      toolUseId: call?.id ?? undefined,
      cwd,
      toolInput: inputOf(kind, payload),
      plan: kind === 'plan' ? await readPlan(payload) : undefined,
      release: to && { to, at: now() + holdMs() },
      holdsCall: payload.hook_event_name === 'PreToolUse',
    };
  }

  return { questionOf, stop: () => clearInterval(timer) };
}

/** The call that this request stands for, as the session's model has paired them: calls side by side differ in their input. */
function findCall(live: LiveModel, payload: HookPayload): ToolCall | undefined {
  const calls = actorOf(live.get(payload.session_id), textOr(payload.agent_id))?.calls;
  const id = textOr(payload.tool_use_id);
  if (id) return calls?.findLast((call) => call.id === id);
  const inputHash = inputHashOf(payload);
  const name = payload.hook_event_name === 'Elicitation' ? ELICITATION : payload.tool_name;
  return calls?.findLast((call) => call.ask && call.name === name && call.inputHash === inputHash);
}

function actorOf(session: Session | undefined, agentId: string | undefined) {
  return agentId ? session?.subagents.find((actor) => actor.id === agentId) : session?.main;
}

/**
 * The same call asking again is the same approval. A request that we cannot pair with a call is told by its input, but
 * only while it is pending: the same words may be asked again later.
 */
function correlationOf(payload: HookPayload, call: ToolCall | undefined, approvals: Approvals): string {
  const who = `${payload.session_id}/${textOr(payload.agent_id) ?? 'main'}`;
  if (call?.id) return `${who}/${call.id}`;
  const { hook_event_name, tool_name, tool_input, mcp_server_name, message } = payload;
  const hash = createHash('sha1')
    .update(JSON.stringify([hook_event_name, tool_name, tool_input, mcp_server_name, message]))
    .digest('base64url');
  for (const { origin, correlationId } of approvals.pending())
    if (origin === 'hook' && correlationId.startsWith(`${who}/${hash}/`)) return correlationId;
  return `${who}/${hash}/${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

function settledBy(approval: Approval, session: Session | undefined): 'answered_in_terminal' | 'cancelled' | undefined {
  if (!session || session.endedAt !== null) return 'cancelled';
  const actor = actorOf(session, approval.agentId);
  return actor?.calls.some((call) => call.ask && isAbout(approval, call)) ? undefined : 'answered_in_terminal';
}

function isAbout({ kind, toolName, toolUseId, toolInput }: Approval, call: ToolCall): boolean {
  if (toolUseId !== undefined || call.id !== null) return call.id === toolUseId;
  if (kind === 'elicitation') return call.name === ELICITATION && call.inputHash === hashInput(toolInput.server);
  // as `inputOf` keeps an input that is no object
  const hashes = [hashInput(toolInput), hashInput(toolInput.value)];
  return call.name === toolName && hashes.includes(call.inputHash);
}

function inputOf(kind: Approval['kind'], payload: HookPayload): Record<string, unknown> {
  if (kind === 'elicitation') {
    const { mcp_server_name, message, mode, url, requested_schema } = payload;
    return { server: mcp_server_name, message, mode, url, schema: requested_schema };
  }
  const input = payload.tool_input;
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : { value: input };
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
