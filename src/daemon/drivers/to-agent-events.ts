import { AgentEvent } from '../../contract/agent-events.ts';
import type { HookPayload } from '../../contract/hooks.ts';
import type { JournalEvent } from '../journal/journal.ts';
import type { TranslatedEvent } from '../sessions/translated-event.ts';
import { translateHook } from './terminal/translate-hook.ts';
import { translateWatch } from './terminal/translate-watch.ts';

/** The journal keeps what a source sent and translates it each time it is read, so a better translation also improves the past. */
export function toAgentEvents({
  source,
  name,
  payload,
}: Pick<JournalEvent, 'source' | 'name' | 'payload'>): readonly AgentEvent[] {
  if (source === 'hook') return translateHook(payload as HookPayload);
  if (source === 'runner') return payload.kind === 'agent' ? [AgentEvent.parse(payload.event)] : NOTHING;
  return source === 'watch' ? translateWatch(name, payload) : NOTHING;
}

const NOTHING: readonly AgentEvent[] = [];

export function translate(event: JournalEvent): TranslatedEvent {
  const { seq, at, sessionId, source, name, payload } = event;
  return { seq, at, sessionId, source, name, payload, agent: toAgentEvents(event) };
}
