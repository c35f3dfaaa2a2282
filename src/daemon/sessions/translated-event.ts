import type { AgentEvent } from '../../contract/agent-events.ts';
import type { JournalEvent } from '../journal/journal.ts';

/** A journal event with what it says about an agent: nothing, if the operator or we did it. */
export interface TranslatedEvent extends JournalEvent {
  agent: readonly AgentEvent[];
}
