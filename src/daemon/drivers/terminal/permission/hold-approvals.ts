import { createHash, randomUUID } from 'node:crypto';
import type { Approval } from '../../../../contract/approvals.ts';
import type { HookPayload } from '../../../../contract/hooks.ts';
import { isRecord } from '../../../../contract/values.ts';
import type { Approvals } from '../../../approvals/approvals.ts';
import type { Ask } from '../../../approvals/ask.ts';
import { type Asker, returnsWithinMs } from '../../../approvals/askers.ts';
import { releaseTo } from '../../../approvals/hold-time.ts';
import type { Core } from '../../../core.ts';
import type { JournalEvent } from '../../../journal/journal.ts';
import type { PermissionCall } from '../../../permissions/judge.ts';
import { type AskedCall, ELICITATION, isSameCall } from '../../../sessions/actors.ts';
import type { AskNews } from '../../../sessions/ask-events.ts';
import { mainActorOf } from '../../../sessions/clients.ts';
import { hashInput } from '../../../sessions/hash-input.ts';
import type { LiveModel } from '../../../sessions/live-model.ts';
import type { Session, ToolCall } from '../../../sessions/session.ts';
import { entrypointOf } from '../intake/entrypoint.ts';
import type { TakenHook } from '../intake/intake.ts';
import { readPlan } from './read-plan.ts';

const POLL_MS = 500;
/** The hooks of identical parallel calls arrive together, give or take a busy machine. */
const TOGETHER_MS = 5000;

export interface HoldOptions {
  core: Core;
  approvals: Approvals;
  /** The maximum time a request that no terminal shows is held. */
  holdMs: () => number;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * Keeps a client's dialogs and their approvals in step. A dialog becomes an approval. One that is answered at the keyboard settles its
 * approval: the client doesn't report that, but the session's later events do. And the session learns what happened to its approval, since
 * no hook reports that our answer was taken or that a dialog is now on its own.
 */
export function holdApprovals({ core, approvals, holdMs, now, onError }: HoldOptions): {
  questionOf(hook: TakenHook, call: PermissionCall): Promise<Ask>;
  stop(): void;
} {
  const { live } = core;
  core.observe((event) => {
    tellSession(event);
    for (const approval of [...approvals.pending()]) {
      if (approval.sessionId !== event.sessionId || event.name.startsWith('approval.') || approval.origin !== 'hook')
        continue;
      const outcome = settledBy(approval, approvals.askersOf(approval.id), live.get(approval.sessionId));
      if (outcome) approvals.close(approval.id, outcome).catch(onError);
    }
  });
  const timer = setInterval(() => {
    for (const approval of [...approvals.pending()]) {
      if (approval.origin !== 'hook' || !isAbandoned(approval)) continue;
      approvals.close(approval.id, 'expired', { why: 'Its dialog stopped listening.' }).catch(onError);
    }
  }, POLL_MS);

  function tellSession(event: JournalEvent): void {
    const approval = approvalIn(event);
    const session = approval && live.get(approval.sessionId);
    if (!session || session.endedAt !== null || approval.origin !== 'hook') return;
    const outcome = outcomeOf(approval);
    if (!outcome) return;
    const askers = approvals.askersOf(approval.id);
    const actor = mainActorOf(session, askers[0]?.pid);
    const agentId = approval.agentId ?? (actor && actor !== session.main ? actor.id : undefined);
    const { decision, ...rest } = outcome;
    const news = { agentId, calls: askedCalls(approval, askers), ...rest } satisfies AskNews;
    const draft = { sessionId: approval.sessionId, source: 'control' } as const;
    const recorded = decision
      ? core.record({ ...draft, name: 'ask.decided', payload: { ...news, decision } })
      : core.record({ ...draft, name: 'ask.left_to_terminal', payload: news });
    recorded.catch(onError);
  }

  function isAbandoned({ id }: Approval): boolean {
    const since = approvals.unattendedSince(id);
    return since !== undefined && now() - since > returnsWithinMs(approvals.askersOf(id));
  }

  async function questionOf(
    hook: TakenHook,
    { sessionId, agentId, kind, toolName, cwd }: PermissionCall,
  ): Promise<Ask> {
    const { payload } = hook;
    const asker = hook.asker
      ? { ...hook.asker, returns: true }
      : { key: `http.${randomUUID()}`, pid: null, returns: false };
    const decided = approvals.decidedSince(sessionId, now() - TOGETHER_MS);
    const taken = takenCalls([...approvals.pending(), ...decided], sessionId, approvals);
    const call = findCall(live, payload, { taken, pid: asker.pid });
    const same = identical(payload, asker, {
      approvals,
      among: [...approvals.undecided(), ...decided.filter(({ decision }) => call && call.startedAt <= decision!.at)],
    });
    const to = releaseTo({ entrypoint: entrypointOf(hook, live), agentId, kind });
    return {
      origin: 'hook',
      correlationId: same?.correlationId ?? `${likeness(payload)}${call?.id ?? '-'}/${asker.key}`,
      sessionId,
      agentId,
      kind,
      toolName: toolName || 'tool',
      toolUseId: call?.id ?? undefined,
      asker: { ...asker, toolUseId: call?.id ?? null },
      cwd,
      toolInput: inputOf(kind, payload),
      plan: kind === 'plan' ? await readPlan(payload) : undefined,
      release: to && { to, at: now() + holdMs() },
      holdsCall: payload.hook_event_name === 'PreToolUse',
    };
  }

  return { questionOf, stop: () => clearInterval(timer) };
}

/** The call this request belongs to, as paired by the session's model: parallel calls differ in their input. */
function findCall(
  live: LiveModel,
  payload: HookPayload,
  { taken, pid }: { taken: ReadonlySet<string>; pid: number | null },
): ToolCall | undefined {
  const calls = actorOf(live.get(payload.session_id), textOr(payload.agent_id), pid)?.calls;
  const id = textOr(payload.tool_use_id);
  if (id) return calls?.findLast((call) => call.id === id);
  const isElicitation = payload.hook_event_name === 'Elicitation';
  const inputHash = hashInput(isElicitation ? payload.mcp_server_name : payload.tool_input);
  const name = isElicitation ? ELICITATION : payload.tool_name;
  const asked = calls?.filter((call) => call.ask && call.name === name && call.inputHash === inputHash);
  return asked?.find((call) => call.id === null || !taken.has(call.id)) ?? asked?.at(-1);
}

/** Calls in this session that other requests are about. */
function takenCalls(others: readonly Approval[], sessionId: string, approvals: Approvals): Set<string> {
  const taken = new Set<string>();
  for (const approval of others) {
    if (approval.sessionId !== sessionId) continue;
    for (const { toolUseId } of approvals.askersOf(approval.id)) if (toolUseId !== null) taken.add(toolUseId);
  }
  return taken;
}

function actorOf(session: Session | undefined, agentId: string | undefined, pid: number | null | undefined) {
  if (agentId) return session?.subagents.find((actor) => actor.id === agentId);
  return session && mainActorOf(session, pid);
}

/** Whether this approval is for the same request by the same actor. */
export const isSameQuestion = ({ correlationId }: Approval, payload: HookPayload): boolean =>
  correlationId.startsWith(likeness(payload));

/** What all requests of one actor for the same call share; the rest of a correlation id is specific to the call. */
function likeness({ session_id, agent_id, hook_event_name, ...more }: HookPayload): string {
  const { tool_name, tool_input, mcp_server_name, message } = more;
  const hash = createHash('sha256')
    .update(JSON.stringify([hook_event_name, tool_name, tool_input, mcp_server_name, message]))
    .digest('base64url');
  return `${session_id}/${textOr(agent_id) ?? 'main'}/${hash}/`;
}

/**
 * An approval for the same input: identical parallel calls are one question to the operator, also one whose hook arrives after the answer.
 * A call that starts after the decision is a new question.
 */
function identical(
  payload: HookPayload,
  { pid }: Pick<Asker, 'pid'>,
  { approvals, among }: { approvals: Approvals; among: Approval[] },
): Approval | undefined {
  const start = likeness(payload);
  for (const approval of among) {
    if (approval.origin !== 'hook' || !approval.correlationId.startsWith(start)) continue;
    // Another client on the same session has its own dialog.
    const [first] = approvals.askersOf(approval.id);
    if (pid === null || first === undefined || first.pid === null || first.pid === pid) return approval;
  }
  return undefined;
}

/** Its client is gone, though another one is still on the session. */
function hasLeft({ process, others }: Session, pid: number | null | undefined): boolean {
  return typeof pid === 'number' && process !== null && ![process, ...others].some((one) => one.pid === pid);
}

function settledBy(
  approval: Approval,
  askers: Asker[],
  session: Session | undefined,
): 'answered_in_terminal' | 'cancelled' | undefined {
  if (!session || session.endedAt !== null || hasLeft(session, askers[0]?.pid)) return 'cancelled';
  const asked = askedCalls(approval, askers);
  const isOpen = actorOf(session, approval.agentId, askers[0]?.pid)?.calls.some(
    (call) => call.ask && asked.some((one) => isSameCall(one, call)),
  );
  return isOpen ? undefined : 'answered_in_terminal';
}

/** The calls in a session's model that an approval is about. */
function askedCalls({ kind, toolName, toolUseId, toolInput }: Approval, askers: readonly Asker[]): AskedCall[] {
  if (kind === 'elicitation') return [{ id: null, name: ELICITATION, inputHash: hashInput(toolInput.server) }];
  const ids = new Set(askers.length > 0 ? askers.map((asker) => asker.toolUseId) : [toolUseId ?? null]);
  // Input that isn't an object is stored as a value in one.
  const inputs = 'value' in toolInput ? [toolInput, toolInput.value] : [toolInput];
  return [...ids].flatMap((id) => inputs.map((input) => ({ id, name: toolName, inputHash: hashInput(input) })));
}

function approvalIn({ source, name, payload }: JournalEvent): Approval | undefined {
  return source !== 'hook' && name.startsWith('approval.') ? (payload.approval as Approval | undefined) : undefined;
}

/** undefined: nothing yet, or the session's own events will tell. `{}`: the terminal answers. */
function outcomeOf({
  status,
  decision,
  delivery,
  releaseTo,
}: Approval): Pick<AskNews, 'decision' | 'endsTurn'> | undefined {
  // Without a terminal, the client denies what is returned.
  if (status === 'released' && releaseTo === 'client') return { decision: 'deny' };
  if (status === 'released' || status === 'expired' || delivery?.state === 'not_delivered') return {};
  if (!decision || delivery?.state !== 'delivered') return undefined;
  return { decision: decision.decision, endsTurn: decision.interrupt === true };
}

function inputOf(kind: Approval['kind'], payload: HookPayload): Record<string, unknown> {
  if (kind === 'elicitation') {
    const { mcp_server_name, message, mode, url, requested_schema } = payload;
    return { server: mcp_server_name, message, mode, url, schema: requested_schema };
  }
  const input = payload.tool_input;
  return isRecord(input) ? input : { value: input };
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
