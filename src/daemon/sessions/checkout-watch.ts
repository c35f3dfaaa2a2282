import type { AgentEvent } from '../../contract/agent-events.ts';
import type { Draft } from '../journal/journal.ts';
import { findCheckout } from './checkout.ts';
import type { LiveModel, SessionChange } from './live-model.ts';
import type { TranslatedEvent } from './translated-event.ts';

/** Moments when a session may have changed its folder or branch. */
const MOMENTS: ReadonlySet<string> = new Set<AgentEvent['type']>([
  'session.started',
  'context.compacted',
  'turn.started',
  'turn.ended',
  'cwd.changed',
  'process.attached',
]);

/** Keeps each session's project and branch current. */
export function watchCheckouts({
  live,
  record,
  onError,
}: {
  live: LiveModel;
  record: (draft: Draft) => Promise<unknown>;
  onError: (error: unknown) => void;
}) {
  const looked = new Set<string>();
  return ({ kind, session: { id, cwd } }: SessionChange, event: TranslatedEvent): void => {
    const isFirst = !looked.has(id);
    if (kind === 'session_removed') looked.delete(id);
    else if (cwd && (isFirst || event.agent.some(({ type }) => MOMENTS.has(type)))) {
      looked.add(id);
      observe(id, cwd).catch(onError);
    }
  };

  async function observe(sessionId: string, cwd: string): Promise<void> {
    const place = await findCheckout(cwd);
    const session = live.get(sessionId);
    const { root = null, checkout = null, branch = null } = place ?? {};
    if (!session || session.cwd !== cwd) return;
    if (session.root === root && session.checkout === checkout && session.branch === branch) return;
    await record({ sessionId, source: 'watch', name: 'place.observed', payload: { root, checkout, branch } });
  }
}
