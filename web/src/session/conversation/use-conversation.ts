import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { listMessages } from '../../../../src/contract/routes/messages.ts';
import { call } from '../../api/request.ts';
import { type Conversation, type ConversationView, createConversation, type Place } from './conversation-store.ts';

/** Often enough to read along, seldom enough for a wall of panes. */
const FOLLOW_MS = 700;
/** The client tells its hooks first and writes its transcript a moment later. */
const LATE_MS = 1_500;

interface Options {
  sessionId: string;
  agentId: string | null;
  limit: number;
  place: Place;
  keep?: number;
}

/** For the life of the component: another session or subagent wants another `key`. */
export function useConversation({ sessionId, agentId, limit, place, keep }: Options): [ConversationView, Conversation] {
  const [conversation] = useState(() =>
    createConversation({
      limit,
      ...(keep === undefined ? {} : { keep }),
      fetchPage: (query) =>
        call(listMessages, { params: { id: sessionId }, query: { ...query, agentId: agentId ?? undefined } }),
    }),
  );
  const first = useRef(place);
  useEffect(() => {
    void conversation.open(first.current);
  }, [conversation]);
  return [useSyncExternalStore(conversation.subscribe, conversation.view), conversation];
}

/** Asks for what is new when the session has changed, at most every so often, and once more when it falls silent. */
export function useFollow(conversation: Conversation, seq: number | undefined, { active = true } = {}) {
  const asked = useRef(0);
  useEffect(() => {
    if (seq === undefined || !active) return;
    const ask = () => {
      asked.current = Date.now();
      void conversation.follow();
    };
    const soon = setTimeout(ask, Math.max(0, asked.current + FOLLOW_MS - Date.now()));
    const late = setTimeout(ask, LATE_MS + FOLLOW_MS);
    return () => {
      clearTimeout(soon);
      clearTimeout(late);
    };
  }, [conversation, seq, active]);
}
