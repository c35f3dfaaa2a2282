import { createHash } from 'node:crypto';
import { constants, open } from 'node:fs/promises';
import type { Approval, ApprovalKind } from '../../contract/approvals.ts';
import type { HookAnswer, HookPayload } from '../../contract/hooks.ts';
import type { Core } from '../core.ts';
import { entrypointOf } from '../hooks/entrypoint.ts';
import type { Responder, TakenHook } from '../hooks/intake.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { ELICITATION, hashInput, inputHashOf } from '../sessions/actors.ts';
import { isRaised } from '../sessions/asks.ts';
import { clip } from '../sessions/clip.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Session, ToolCall } from '../sessions/session.ts';
import type { Approvals, Ask } from './approvals.ts';
import {
  type Attendance,
  afterHold,
  CONSEQUENCES,
  isAttended,
  isWorthHolding,
  NOBODY_THERE,
  overdue,
} from './hold-time.ts';
import { leaveCall, toCallAnswer, toHookAnswer } from './hook-answer.ts';

/** A hook whose connection broke (we were restarted) may come back within this; then its dialog is on its own. */
const REATTACH_MS = 10_000;
const LOOK_MS = 500;
const MAX_PLAN_BYTES = 1024 * 1024;

export interface HoldOptions {
  core: Core;
  approvals: Approvals;
  attendance: () => Attendance;
  /** How long a request that no terminal shows is held at most. */
  holdMs: () => number;
  now: () => number;
  /** Told which call the operator is asked about. */
  onAsked: (toolUseId: string | undefined) => void;
  onError: (error: unknown) => void;
}

/**
 * Turns what a client asks its person into approvals, holds the hook until one is decided, and settles those that were
 * answered at the keyboard: the client does not tell us, but what follows in the session does.
 */
export function holdApprovals({ core, approvals, attendance, holdMs, now, onAsked, onError }: HoldOptions): {
  respond: Responder;
  stop(): void;
} {
  const { live } = core;
  const startedAt = now();
  let attendedAt = startedAt;
  core.observe((event) => {
    settleRaised(event);
    for (const approval of [...approvals.pending()]) {
      if (approval.sessionId !== event.sessionId || event.name.startsWith('approval.') || !isFromHook(approval))
        continue;
      const outcome = settledBy(approval, live.get(approval.sessionId));
      if (outcome) approvals.close(approval.id, outcome).catch(onError);
    }
  });

  /** The board goes on with a held call when its approval is settled, however that came. */
  function settleRaised({ source, name, sessionId, payload }: JournalEvent): void {
    if (source === 'hook' || !name.startsWith('approval.') || name === 'approval.requested') return;
    const { toolUseId, agentId } = payload.approval as Approval;
    if (!toolUseId || !isRaised(live.get(sessionId), toolUseId)) return;
    const draft = { sessionId, source: 'control' as const, name: 'ask.settled', payload: { toolUseId, agentId } };
    core.record(draft).catch(onError);
  }

  const timer = setInterval(() => {
    for (const approval of [...approvals.pending()]) {
      if (!isFromHook(approval)) continue;
      if (isAbandoned(approval)) approvals.close(approval.id, 'expired').catch(onError);
      else giveBackIfOverdue(approval);
    }
  }, LOOK_MS);

  function isAbandoned({ id, createdAt }: Approval): boolean {
    return !approvals.isWaitedFor(id) && now() - Math.max(createdAt, startedAt) > REATTACH_MS;
  }

  function giveBackIfOverdue({ id, createdAt, heldUntil, afterHold: then }: Approval): void {
    if (then === undefined || heldUntil === undefined) return;
    const present = attendance();
    if (isAttended(present)) attendedAt = now();
    const seenAt = Math.max(createdAt, attendedAt);
    const why = overdue({ then, heldUntil, now: now(), attendedAt: seenAt, attendance: present });
    if (why) approvals.close(id, 'released', { why: `${why} ${CONSEQUENCES[then]}` }).catch(onError);
  }

  /** A call that we hold ourselves waits on the board as well, until it is settled. */
  async function raise({ agentId, toolUseId, toolName, toolInput }: Ask, sessionId: string): Promise<void> {
    const payload = { agentId, toolUseId, toolName, toolInput: clip(toolInput) };
    await core.record({ sessionId, source: 'control', name: 'ask.raised', payload });
  }

  async function respond(hook: TakenHook): Promise<HookAnswer | undefined> {
    try {
      return await hold(hook);
    } catch (error) {
      // a full disk must not let a call run that a rule wants asked
      if (hook.mustAsk === undefined) throw error;
      onError(error);
      return leaveCall(hook.mustAsk);
    }
  }

  async function hold(hook: TakenHook): Promise<HookAnswer | undefined> {
    const { payload, askedBy, mustAsk, onHangUp } = hook;
    const kind = kindOf(hook);
    if (!kind) return undefined;
    const call = findCall(live, payload);
    const agentId = textOr(payload.agent_id);
    const then = afterHold({ entrypoint: entrypointOf(hook, live), agentId, kind });
    const ask: Ask = {
      correlationId: correlationOf(payload, call, approvals),
      sessionId: payload.session_id,
      agentId,
      kind,
      toolName:
        kind === 'elicitation' ? `elicitation:${payload.mcp_server_name}` : (textOr(payload.tool_name) ?? 'tool'),
      toolUseId: call?.id ?? undefined,
      toolInput: inputOf(kind, payload),
      plan: kind === 'plan' ? await readPlan(payload) : undefined,
      ruleId: askedBy,
      hold: then && { then, until: now() + holdMs() },
    };
    if (then && !approvals.find(ask.correlationId) && !isWorthHolding(then, attendance())) {
      await approvals.pass(ask, `${NOBODY_THERE} ${CONSEQUENCES[then]}`);
      return mustAsk ? leaveCall(mustAsk) : {};
    }
    onAsked(call?.id ?? undefined);
    // before it is asked: a call that does not wait counts as answered in its terminal
    if (mustAsk) await raise(ask, payload.session_id);
    const approval = await approvals.ask(ask);
    const hungUp = new AbortController();
    onHangUp(() => hungUp.abort());
    const settled = await approvals.wait(approval.id, hungUp);
    if (mustAsk) return (settled && toCallAnswer(settled)) ?? leaveCall(mustAsk);
    return settled ? (toHookAnswer(settled) ?? {}) : {};
  }

  return { respond, stop: () => clearInterval(timer) };
}

function kindOf({ payload: { hook_event_name, tool_name }, mustAsk }: TakenHook): ApprovalKind | undefined {
  if (mustAsk !== undefined) return 'permission';
  if (hook_event_name === 'Elicitation') return 'elicitation';
  if (hook_event_name !== 'PermissionRequest') return undefined;
  if (tool_name === 'AskUserQuestion') return 'question';
  return tool_name === 'ExitPlanMode' ? 'plan' : 'permission';
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

const PREFIX = 'hook';
export const isFromHook = ({ correlationId }: Approval) => correlationId.startsWith(`${PREFIX}/`);

/**
 * The same call asking again is the same approval. A request that we cannot pair with a call is told by its input, but
 * only while it is pending: the same words may be asked again later.
 */
function correlationOf(payload: HookPayload, call: ToolCall | undefined, approvals: Approvals): string {
  const who = `${PREFIX}/${payload.session_id}/${textOr(payload.agent_id) ?? 'main'}`;
  if (call?.id) return `${who}/${call.id}`;
  const { hook_event_name, tool_name, tool_input, mcp_server_name, message } = payload;
  const hash = createHash('sha1')
    .update(JSON.stringify([hook_event_name, tool_name, tool_input, mcp_server_name, message]))
    .digest('base64url');
  for (const { correlationId } of approvals.pending())
    if (correlationId.startsWith(`${who}/${hash}/`)) return correlationId;
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

function inputOf(kind: ApprovalKind, payload: HookPayload): Record<string, unknown> {
  if (kind === 'elicitation') {
    const { mcp_server_name, message, mode, url, requested_schema } = payload;
    return { server: mcp_server_name, message, mode, url, schema: requested_schema };
  }
  const input = payload.tool_input;
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Record<string, unknown>)
    : { value: input };
}

/** The model writes its plan to a file of the client first; the request names it, or carries the text. */
async function readPlan({ tool_input }: HookPayload): Promise<string | undefined> {
  const { plan, planFilePath } = (tool_input ?? {}) as { plan?: unknown; planFilePath?: unknown };
  const path = textOr(planFilePath);
  const written = path ? await readPlanFile(path).catch(() => undefined) : undefined;
  return written ?? textOr(plan);
}

/** The words of a model chose this path: only a text of a plan's size is read, never a pipe or a device. */
async function readPlanFile(path: string): Promise<string | undefined> {
  if (!path.endsWith('.md')) return undefined;
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = await file.stat();
    return info.isFile() && info.size <= MAX_PLAN_BYTES ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
