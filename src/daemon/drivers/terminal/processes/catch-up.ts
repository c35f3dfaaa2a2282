import type { EventNews } from '../../../../contract/events.ts';
import type { Draft } from '../../../journal/journal.ts';
import type { PidFile } from '../../../processes/pid-files.ts';
import { hasDialog } from '../../../sessions/actors.ts';
import type { LiveModel } from '../../../sessions/live-model.ts';
import type { Session } from '../../../sessions/session.ts';
import { readTranscriptEnd, type TranscriptEnd } from './transcript-end.ts';

const WAITS = new Set(['needs_permission', 'awaiting_input', 'awaiting_approval']);

interface CatchUpOptions {
  files: PidFile[];
  live: LiveModel;
  record: (draft: Draft) => Promise<unknown>;
}

/**
 * Reconstructs what sessions did while we weren't listening, from their own files and the ends of their transcripts, before anyone sees
 * their states: a turn that ended, an open dialog, ongoing work.
 */
export async function catchUp({ files, live, record }: CatchUpOptions): Promise<void> {
  for (const file of files) {
    const session = live.get(file.sessionId);
    if (!session || session.endedAt !== null || session.process?.pid !== file.pid) continue;
    const drafts = missed(session, file, await readTranscriptEnd(session.transcriptPath));
    for (const news of drafts) await record({ sessionId: session.id, source: 'watch', ...news });
  }
}

type News = EventNews<'calls' | 'status'>;

export function missed(session: Session, file: PidFile, { turn, endedCalls }: TranscriptEnd): News[] {
  const { main, lastHeardAt, state } = session;
  const { status, statusUpdatedAt: since = 0, waitingFor } = file;
  // A client without a status is known only through its hooks.
  if (lastHeardAt === null || !status) return [];
  const ids = main.calls.flatMap(({ id }) => (id !== null && endedCalls.has(id) ? [id] : []));
  const ended: News[] = ids.length > 0 ? [{ name: 'calls.ended', payload: { ids } }] : [];
  if (since <= main.heardAt) return ended;
  const open = main.calls.filter((call) => hasDialog(call) && !ids.includes(call.id ?? ''));
  const isAtWork = state.group === 'autonomous';
  if (status === 'idle' && (isAtWork || WAITS.has(state.state) || state.state === 'error')) {
    return [...ended, { name: 'status.corrected', payload: { status: 'idle', turn } }];
  }
  if (status === 'waiting' && waitingFor !== 'dialog open' && open.length === 0) {
    return [...ended, { name: 'status.corrected', payload: { status: 'waiting', waitingFor } }];
  }
  if (status === 'busy' && (!isAtWork || open.length > 0)) {
    return [...ended, { name: 'status.corrected', payload: { status: 'busy', by: since, isAtWork: true } }];
  }
  return ended;
}
