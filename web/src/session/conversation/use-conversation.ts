import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { listMessages } from '../../../../src/contract/routes/messages.ts';
import { call } from '../../api/request.ts';
import { type Conversation, type ConversationView, createConversation, type Place } from './conversation-store.ts';

/** Often enough to follow along, rarely enough for a wall of panes. */
const FOLLOW_MS = 700;
/** The client runs its hooks first and writes its transcript a moment later. */
const LATE_MS = 1_500;

interface Options {
  sessionId: string;
  agentId: string | null;
  limit: number;
  place: Place;
  keep?: number;
}

/** Fixed for the component's lifetime: use a different `key` for another session or subagent. */
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

/** Fetches new messages when the session changed, throttled, and once more when it goes quiet. */
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
