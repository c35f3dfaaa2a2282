import type { AgentEvent, EventActor } from '../contract/agent-events.ts';
import type { Entry } from './loop/conversation.ts';

/** Events that only live viewers need. The session model is built from AgentEvents alone. */
export type LiveEvent =
  | { type: 'text.delta' | 'thinking.delta'; actor: EventActor; text: string; reply: string }
  | { type: 'reply.dropped'; actor: EventActor; why: string }
  | { type: 'request.retrying'; actor: EventActor; attempt: number; waitMs: number; why: string }
  | { type: 'tool.running'; actor: EventActor; callId: string }
  | { type: 'tool.output'; actor: EventActor; callId: string; stream: 'stdout' | 'stderr'; text: string }
  | { type: 'tool.decided'; actor: EventActor; callId: string; decision: string; by: string; waitedMs: number }
  | { type: 'shell.started'; shellId: string; command: string; createdAt: number }
  | { type: 'shell.ended'; shellId: string; state: 'exited' | 'killed'; exitCode: number | null };

/** The conversation itself. The host stores it and passes it back to continue the session. */
export interface EntryEvent {
  type: 'entry';
  actor: EventActor;
  entry: Entry;
}

export type LoopEvent = AgentEvent | LiveEvent | EntryEvent;

const OF_THE_LOOP: ReadonlySet<LoopEvent['type']> = new Set<(LiveEvent | EntryEvent)['type']>([
  'text.delta',
  'thinking.delta',
  'reply.dropped',
  'request.retrying',
  'tool.running',
  'tool.output',
  'tool.decided',
  'shell.started',
  'shell.ended',
  'entry',
]);

/** Events the session model is built from. Matched by name: most events are text deltas, and validating each one takes longer than sending it. */
export function isAgentEvent(event: LoopEvent): event is AgentEvent {
  return !OF_THE_LOOP.has(event.type);
}

/** The loop awaits the promise for events that must be on disk before they take effect: entries and started calls. */
export type Emit = (event: LoopEvent) => void | Promise<void>;
