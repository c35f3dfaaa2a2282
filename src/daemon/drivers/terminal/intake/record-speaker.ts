import type { HookPayload } from '../../../../contract/hooks.ts';
import type { Draft } from '../../../journal/journal.ts';
import type { LiveModel } from '../../../sessions/live-model.ts';

/** What is known about the client behind a hook. */
export interface HookClient {
  /** For a command hook: it says so itself. */
  pid: number | null;
  /** For an HTTP hook: which of these it is, if that can be determined. */
  among?: ((pids: readonly number[]) => number | undefined) | undefined;
}

export type RecordSpeaker = (payload: HookPayload, client: HookClient | undefined) => void;

/** If two clients share a session, tells the session whose hook comes next. Called right before the hook is recorded. */
export function createRecordSpeaker({
  live,
  record,
  onError,
}: {
  live: LiveModel;
  record: (draft: Draft) => Promise<unknown>;
  onError: (error: unknown) => void;
}): RecordSpeaker {
  return ({ session_id: sessionId }, client) => {
    const session = live.get(sessionId);
    if (!client || !session?.process || session.endedAt !== null) return;
    const pids = [session.process.pid, ...session.others.map(({ pid }) => pid)];
    const pid = client.pid ?? (pids.length > 1 ? client.among?.(pids) : undefined);
    if (pid === undefined || pid === (session.speaker ?? session.process.pid)) return;
    record({ sessionId, source: 'watch', name: 'process.speaks', payload: { pid } }).catch(onError);
  };
}
