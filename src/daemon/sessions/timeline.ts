import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AgentEvent } from '../../contract/agent-events.ts';
import type { Timeline, TimelineLane, ToolTime } from '../../contract/timeline.ts';
import type { Journal, JournalEvent } from '../journal/journal.ts';
import type { Actor, Session } from './session.ts';
import { isOfSession, transition } from './transition.ts';
import type { TranslatedEvent } from './translated-event.ts';

/** Events folded at a time, so hooks wait no longer than that. */
const PAGE = 500;

/** Who did what, and when, from the session's actual states. */
export async function readTimeline(
  { journal, translate }: { journal: Journal; translate: (event: JournalEvent) => TranslatedEvent },
  sessionId: string,
  { limit }: { limit: number },
): Promise<Timeline> {
  const first = journal.firstOfLast(sessionId, limit);
  const builder = new TimelineBuilder();
  let after = (first?.seq ?? 1) - 1;
  for (;;) {
    const events = journal.sessionEvents(sessionId, { after, limit: PAGE });
    for (const event of events) if (isOfSession(event)) builder.add(translate(event));
    if (events.length < PAGE) break;
    after = events.at(-1)!.seq;
    await nextTurn();
  }
  return { ...builder.result(), isComplete: !first?.hasEarlier };
}

export class TimelineBuilder {
  readonly #lanes = new Map<string, TimelineLane>();
  readonly #tools = new Map<string, ToolTime>();
  #session: Session | undefined;
  #from: number | null = null;
  #to: number | null = null;

  add(event: TranslatedEvent): void {
    this.#session = transition(this.#session, event);
    for (const one of event.agent) this.#count(one);
    const { main, subagents, endedAt } = this.#session;
    this.#from ??= event.at;
    this.#to = event.at;
    // nothing to draw until its first state is known
    if (main.state.state !== 'unknown') this.#show(main, event.at, endedAt !== null);
    for (const actor of subagents) this.#show(actor, event.at, actor.endedAt !== null);
  }

  result(): Omit<Timeline, 'isComplete'> {
    const lanes = [...this.#lanes.values()].filter(({ spans }) => spans.length > 0);
    const tools = [...this.#tools.values()].sort((a, b) => b.totalMs - a.totalMs);
    return { lanes, tools, from: this.#from, to: this.#to };
  }

  #count(event: AgentEvent): void {
    if (event.type !== 'tool.ended' && event.type !== 'tool.failed') return;
    const { name } = event.call;
    const { durationMs = 0 } = event;
    const tool = this.#tools.get(name) ?? { name, calls: 0, failed: 0, totalMs: 0, longestMs: 0 };
    this.#tools.set(name, {
      name,
      calls: tool.calls + 1,
      failed: tool.failed + (event.type === 'tool.failed' ? 1 : 0),
      totalMs: tool.totalMs + durationMs,
      longestMs: Math.max(tool.longestMs, durationMs),
    });
  }

  #show(actor: Actor, at: number, isOver: boolean): void {
    const { id, type, description, state } = actor;
    const lane = this.#lanes.get(id) ?? { actorId: id, type, description, spans: [] };
    this.#lanes.set(id, lane);
    const current = lane.spans.at(-1);
    const isOpen = current !== undefined && current.to === null;
    const { group, state: name, label } = state;
    if (!isOver && isOpen && current.state === name && current.label === label) return;
    if (isOpen) {
      current.to = at;
      // two events in one moment: only their outcome was ever visible
      if (current.from === at) lane.spans.pop();
    }
    if (!isOver) lane.spans.push({ group, state: name, label, callId: callOf(actor), from: at, to: null });
  }
}

function callOf({ state, calls }: Actor): string | null {
  const asked = calls.find(({ ask }) => ask?.state === state);
  if (asked) return asked.id;
  return state.state === 'acting' ? (calls.findLast(({ label }) => label === state.label)?.id ?? null) : null;
}
