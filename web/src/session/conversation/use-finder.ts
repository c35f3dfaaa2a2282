import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FindQuery } from '../../../../src/contract/messages.ts';
import { findInSession } from '../../../../src/contract/routes/messages.ts';
import { call, messageOf } from '../../api/request.ts';
import type { Conversation } from './conversation-store.ts';
import { type ExpandedParts, expand } from './expanded-parts.ts';

type What = FindQuery['what'];
type Direction = FindQuery['direction'];

export interface Finder {
  /** The text to highlight. Empty: none. */
  marked: string;
  status: string;
  search(text: string): void;
  go(what: What, direction: 'next' | 'previous', text?: string): void;
  clear(): void;
}

interface Options {
  sessionId: string;
  agentId: string | null;
  conversation: Conversation;
  expanded: ExpandedParts;
  /** The message the reader is looking at: the last one found, while it is on screen. */
  here: (found: string | null) => string | undefined;
}

const NONE: Record<What, string> = { text: 'No matches', prompt: 'No prompts', error: 'No errors' };
const NAMES: Record<What, string> = { text: 'Match', prompt: 'Prompt', error: 'Error' };

/** Searches the whole conversation, of which the page holds only a part, and jumps to matches. */
export function useFinder({ sessionId, agentId, conversation, expanded, here }: Options): Finder {
  const [marked, setMarked] = useState('');
  const [status, setStatus] = useState('');
  const asked = useRef(0);
  /** Where the last step led. */
  const found = useRef<string | null>(null);
  const looksAt = useRef(here);
  useEffect(() => {
    looksAt.current = here;
  });

  const find = useCallback(
    async (what: What, direction: Direction, text: string) => {
      asked.current += 1;
      const mine = asked.current;
      setStatus('Searching…');
      try {
        const from = looksAt.current(found.current);
        const q = what === 'text' ? text.trim() : '';
        const query = { what, direction, q, from, agentId: agentId ?? undefined };
        const result = await call(findInSession, { params: { id: sessionId }, query });
        if (mine !== asked.current) return;
        const { messageId, parts, index, total } = result;
        setStatus(messageId === null ? NONE[what] : `${NAMES[what]} ${index} of ${total}`);
        if (messageId === null) return;
        found.current = messageId;
        // A prompt is shown in full; a match inside a call would be collapsed.
        if (what !== 'prompt') for (const part of parts) expand(expanded, messageId, part);
        await conversation.show(messageId);
      } catch (error) {
        if (mine === asked.current) setStatus(messageOf(error));
      }
    },
    [sessionId, agentId, conversation, expanded],
  );

  return useMemo(
    () => ({
      marked,
      status,
      search(text) {
        setMarked(text.trim());
        asked.current += 1;
        if (text.trim() === '') setStatus('');
        else void find('text', 'nearest', text);
      },
      go(what, direction, text = '') {
        if (what === 'text') setMarked(text.trim());
        if (what !== 'text' || text.trim() !== '') void find(what, direction, text);
      },
      clear() {
        asked.current += 1;
        found.current = null;
        setMarked('');
        setStatus('');
      },
    }),
    [find, marked, status],
  );
}
