import { useEffect, useMemo, useState } from 'react';
import { isFinished } from '../../../../src/contract/lifecycles.ts';
import { MAIN_ACTOR } from '../../../../src/contract/main-actor.ts';
import { useSession, useStreaming } from '../../live/live.ts';
import type { ConversationView } from './conversation-store.ts';
import { type Row, withStreaming } from './with-streaming.ts';

/** A complete message is in the transcript by then. */
const LANDING_MS = 5_000;
const NONE: readonly never[] = [];

/** The messages to show: the loaded ones and, at the end of the conversation, those being written. */
export function useRows(
  { messages, hasLater }: ConversationView,
  { sessionId, agentId }: { sessionId: string; agentId: string | null },
): readonly Row[] {
  const all = useStreaming(sessionId);
  const [streamed] = useState(() => new Set<string>());
  const lifecycle = useSession(sessionId)?.orchestration?.lifecycle;
  const isOver = useIsOver(lifecycle !== undefined && isFinished(lifecycle));
  const actor = agentId ?? MAIN_ACTOR;
  return useMemo(() => {
    const streaming = hasLater ? NONE : all.filter(({ actorId }) => actorId === actor);
    const rows = withStreaming(messages, streaming, streamed);
    return isOver ? rows.map((row) => ({ ...row, isStreaming: false, isUnfinished: row.isStreaming })) : rows;
  }, [messages, hasLater, all, actor, streamed, isOver]);
}

function useIsOver(isDone: boolean): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (!isDone) return setIsOver(false);
    const timer = setTimeout(() => setIsOver(true), LANDING_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  return isOver && isDone;
}
