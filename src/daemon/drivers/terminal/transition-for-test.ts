import type { JournalEvent } from '../../journal/journal.ts';
import type { Session } from '../../sessions/session.ts';
import { transition as applyTranslated } from '../../sessions/transition.ts';
import { translate } from '../to-agent-events.ts';

/** What a hook, as sent by the client, does to a session. */
export const transition = (before: Session | undefined, event: JournalEvent): Session =>
  applyTranslated(before, translate(event));
