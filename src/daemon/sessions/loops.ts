import { basename } from 'node:path';
import type { AgentEvent, EventCall } from '../../contract/agent-events.ts';
import { needsYou } from './agent-state.ts';
import { hashInput } from './hash-input.ts';
import type { Alarm, CallTrace, Session } from './session.ts';
import { writtenFile } from './written-file.ts';

const REPEATS = 3;
const LONGEST_CYCLE = 4;
const KEPT = 24;
/** A call that took this long waited for something: repeating it isn't looping. */
const WAITED_MS = 5_000;
const WAITS = /\b(?:sleep|wait|watch|until|while|timeout|tail -[fF])\b/;
const POLLS = /output|monitor|wait|poll|status/i;

type Outcome = Extract<AgentEvent, { type: 'tool.ended' | 'tool.failed' | 'tool.denied' }>;

/**
 * Notices an agent that is looping: the same calls with the same results three times, or three failed edits of one file. A call that
 * repeats with a different result makes progress, and so does one after the operator sent something.
 */
export function watchLoop(before: Session, next: Session, event: AgentEvent, at: number): Session {
  const awake = next.alarm?.kind === 'stall' ? { ...next, alarm: null } : next;
  switch (event.type) {
    case 'turn.started':
      return event.by === 'operator' ? without(awake) : awake;
    case 'session.started':
    case 'session.ended':
      return without(awake);
    case 'turn.ended':
      return awake.alarm ? { ...awake, alarm: null } : awake;
    case 'tool.ended':
    case 'tool.failed':
    case 'tool.denied':
      return noteOutcome(before, awake, event, at);
    default:
      return awake;
  }
}

const without = (session: Session): Session => ({ ...session, recentCalls: [], alarm: null });

function noteOutcome(before: Session, next: Session, event: Outcome, at: number): Session {
  const trace = traceOf(event, next.cwd, at);
  const last = next.recentCalls.findLast(({ actor, call }) => actor === trace.actor && call === trace.call);
  // the same call several times in parallel is one thought, not several
  if (last && startOf(before, event) < last.at) return next;
  const recentCalls = [...next.recentCalls, trace].slice(-KEPT);
  const known = next.alarm && isStillOn(next.alarm, trace) ? next.alarm : null;
  return { ...next, recentCalls, alarm: known ?? findLoop(recentCalls, trace.actor) };
}

/** What an actor's recent calls show. */
export function findLoop(recent: readonly CallTrace[], actor: string): Alarm | null {
  const own = recent.filter((trace) => trace.actor === actor);
  const file = own.at(-1)?.file;
  if (file) {
    const edits = own.filter((trace) => trace.file === file);
    const failed = edits.length - 1 - edits.findLastIndex((trace) => !trace.failed);
    if (failed >= REPEATS)
      return alarm(actor, `${failed} failed edits of ${basename(file)} in a row`, { file, calls: [] });
  }
  for (let period = 1; period <= LONGEST_CYCLE; period++) {
    const cycle = own.slice(-period);
    const seen = own.slice(-period * REPEATS);
    if (seen.length < period * REPEATS) return null;
    if (!seen.every((trace, index) => isSame(trace, cycle[index % period]!))) continue;
    const names = [...new Set(cycle.map(({ name }) => name))].join(', ');
    const reason =
      period === 1
        ? `Repeating the same ${names} call with the same result`
        : `Repeating the same ${period} calls with the same results (${names})`;
    return alarm(actor, reason, { file: null, calls: cycle.map(({ call }) => call) });
  }
  return null;
}

const isSame = (a: CallTrace, b: CallTrace): boolean => a.call === b.call && a.result === b.result;

const alarm = (actorId: string, reason: string, { file, calls }: Pick<Alarm, 'file' | 'calls'>): Alarm => ({
  kind: 'loop',
  actorId,
  file,
  calls,
  state: needsYou('looping', reason, { reason }),
});

/** Reported once: it stays as long as the agent keeps doing it. */
function isStillOn({ kind, actorId, file, calls }: Alarm, trace: CallTrace): boolean {
  if (kind !== 'loop') return false;
  if (trace.actor !== actorId) return true;
  return file === null ? calls.includes(trace.call) : trace.file !== file || trace.failed;
}

function traceOf(event: Outcome, cwd: string | null, at: number): CallTrace {
  const { call, actor } = event;
  return {
    actor: actor.id,
    name: call.name,
    call: `${call.name} ${hashInput(call.input)}`,
    // no two waits are alike: what they wait for may arrive the next time
    result: isWait(event) ? `waited until ${at}` : `${event.type} ${hashInput(resultOf(event))}`,
    file: writtenFile(call, cwd) ?? null,
    failed: event.type !== 'tool.ended',
    at,
  };
}

function resultOf(event: Outcome): unknown {
  if (event.type === 'tool.ended') return event.output;
  return event.type === 'tool.failed' ? event.error : event.reason;
}

function isWait(event: Outcome): boolean {
  if (event.type !== 'tool.denied' && (event.durationMs ?? 0) >= WAITED_MS) return true;
  const { name, input } = event.call;
  if (POLLS.test(name)) return true;
  const command = (input as { command?: unknown } | null | undefined)?.command;
  return typeof command === 'string' && WAITS.test(command);
}

function startOf({ main, subagents }: Session, { actor, call }: { actor: { id: string }; call: EventCall }): number {
  const found = [main, ...subagents]
    .find(({ id }) => id === actor.id)
    ?.calls.find(({ id }) => id !== null && id === call.id);
  return found?.startedAt ?? Number.POSITIVE_INFINITY;
}
