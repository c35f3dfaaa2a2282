import { useQuery } from '@tanstack/react-query';
import type { HistoryDetail } from '../../../src/contract/history.ts';
import { getHistoryDetail } from '../../../src/contract/routes/history.ts';
import { getSession } from '../../../src/contract/routes/sessions.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { ApiError, call, messageOf } from '../api/request.ts';
import { useBoard, useSession } from '../live/live.ts';

const WORKING_MS = 15_000;
const UNKNOWN_MS = 3_000;
/** Where the built-in agent keeps its transcripts, in the data dir. */
const NATIVE_TRANSCRIPTS = '/native/projects/';

export interface SessionFacts {
  id: string;
  /** The session now, or as it was when it left the board. null: no hook ever reported it. */
  session: LiveSession | null;
  /** On the board. */
  inView: boolean;
  /** It may still write. */
  isLive: boolean;
  /** Facts from its transcript. null: unknown, or not loaded yet. */
  history: HistoryDetail | null;
  title: string;
  cwd: string | null;
  /** A session of the built-in agent. */
  isNative: boolean;
  /** Neither on the board nor on disk. */
  unknown: boolean;
  /** Why nothing is known about it. */
  failure: { message: string; retry: () => void } | null;
}

/** Everything known about a session: from the board while it is there, otherwise from the record and the disk. */
export function useSessionFacts(id: string): SessionFacts {
  const live = useSession(id);
  const { ready } = useBoard();
  const params = { id };
  const left = useQuery({
    queryKey: ['session', id],
    queryFn: () => orNull(call(getSession, { params })),
    enabled: ready && !live,
  });
  const history = useQuery({
    queryKey: ['history', id],
    queryFn: () => orNull(call(getHistoryDetail, { params })),
    refetchInterval: ({ state }) => {
      // The first indexing may still be running.
      if (state.data === null) return UNKNOWN_MS;
      return live?.agentState.group === 'autonomous' ? WORKING_MS : false;
    },
  });
  const session = live ?? left.data ?? null;
  const detail = history.data ?? null;
  const error = left.error ?? history.error;
  const retry = () => {
    if (left.isError) void left.refetch();
    if (history.isError) void history.refetch();
  };
  return {
    id,
    session,
    inView: live !== undefined,
    isLive: live !== undefined && live.endedAt === null,
    history: detail,
    title: session?.title || detail?.title || '',
    cwd: session?.cwd ?? detail?.cwd ?? null,
    isNative:
      session?.orchestration?.driver === 'native' || (detail?.transcriptPath ?? '').includes(NATIVE_TRANSCRIPTS),
    unknown: ready && !live && left.data === null && (history.data === null || history.isError),
    failure: session === null && detail === null && error ? { message: messageOf(error), retry } : null,
  };
}

/** "Not found" is an answer, too. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
