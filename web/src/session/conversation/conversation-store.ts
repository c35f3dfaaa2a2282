import type { Message, MessagePage, MessagesQuery } from '../../../../src/contract/messages.ts';
import { ApiError, messageOf } from '../../api/request.ts';

export type Place = 'start' | 'end' | { around: string } | { at: number };
/** Which end of the window grew last, so the list knows whether to follow. */
export type Growth = 'opened' | 'shown' | 'earlier' | 'later' | 'followed';

export interface ConversationView {
  messages: readonly Message[];
  phase: 'opening' | 'ready' | 'failed';
  /** Why it couldn't be opened, in the daemon's words. */
  error: string | null;
  hasEarlier: boolean;
  hasLater: boolean;
  loading: 'earlier' | 'later' | null;
  /** Why more couldn't be fetched. What is there stays. */
  edgeError: string | null;
  growth: Growth;
  /** Counts windows: a new number means these are different messages. */
  opened: number;
  /** Counts jumps within the same window. */
  shown: number;
  place: Place;
  /** The message that was requested. */
  focusId: string | null;
}

export interface Conversation {
  view(): ConversationView;
  subscribe(listener: () => void): () => void;
  open(place: Place): Promise<void>;
  /** Goes to a message, within the window if it is loaded. */
  show(messageId: string): Promise<void>;
  loadEarlier(): Promise<void>;
  loadLater(): Promise<void>;
  /** Fetches new messages if the window reaches the end. */
  follow(): Promise<void>;
}

type Query = Omit<MessagesQuery, 'agentId' | 'from'> & { from?: MessagesQuery['from'] };

interface Options {
  fetchPage: (query: Query) => Promise<MessagePage>;
  limit?: number;
  /** Keeps only this many, for a view that follows the end and never scrolls back. */
  keep?: number;
}

const STALE = 'messages.stale_cursor';

/**
 * A window onto a transcript of any length: it opens at one position and grows at both ends. Messages keep their objects, so a row
 * rerenders only when its message changes.
 */
export function createConversation({ fetchPage, limit = 100, keep = Number.POSITIVE_INFINITY }: Options): Conversation {
  const listeners = new Set<() => void>();
  let cursors = { start: '', end: '' };
  let following: Promise<void> | null = null;
  let view: ConversationView = {
    messages: [],
    phase: 'opening',
    error: null,
    hasEarlier: false,
    hasLater: false,
    loading: null,
    edgeError: null,
    growth: 'opened',
    opened: 0,
    shown: 0,
    place: 'end',
    focusId: null,
  };

  function show(change: Partial<ConversationView>) {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  }

  async function open(place: Place) {
    const mine = view.opened + 1;
    show({ phase: 'opening', opened: mine, error: null, edgeError: null, loading: null, place });
    try {
      const page = await fetchPage({ ...startOf(place), limit });
      if (mine !== view.opened) return;
      cursors = { start: page.start, end: page.end };
      const focusId = page.focusId ?? (typeof place === 'object' && 'around' in place ? place.around : null);
      const { messages, hasEarlier, hasLater } = page;
      show({ phase: 'ready', messages, hasEarlier, hasLater, growth: 'opened', focusId });
    } catch (error) {
      if (mine === view.opened) show({ phase: 'failed', messages: [], error: messageOf(error) });
    }
  }

  async function showMessage(messageId: string) {
    if (view.phase !== 'ready' || !view.messages.some(({ id }) => id === messageId)) return open({ around: messageId });
    show({ growth: 'shown', shown: view.shown + 1, focusId: messageId, place: { around: messageId } });
  }

  async function grow(side: 'earlier' | 'later') {
    if (view.phase !== 'ready' || view.loading !== null) return;
    if (side === 'earlier' ? !view.hasEarlier : !view.hasLater) return;
    const mine = view.opened;
    show({ loading: side, edgeError: null });
    try {
      const page = await fetchPage({
        ...(side === 'earlier' ? { before: cursors.start } : { after: cursors.end }),
        limit,
      });
      if (mine !== view.opened) return;
      if (side === 'earlier') prepend(page);
      else append(page, 'later');
    } catch (error) {
      if (mine === view.opened) fail(error);
    }
  }

  function prepend(page: MessagePage) {
    cursors = { ...cursors, start: page.start };
    const known = new Set(view.messages.map(({ id }) => id));
    const earlier = page.messages.filter(({ id }) => !known.has(id));
    show({ messages: [...earlier, ...view.messages], hasEarlier: page.hasEarlier, loading: null, growth: 'earlier' });
  }

  /** An updated message comes again, complete, and takes its old place. If that is before the window, it is dropped. */
  function append(page: MessagePage, growth: Growth) {
    cursors = { ...cursors, end: page.end };
    const loading = growth === 'later' ? null : view.loading;
    if (page.messages.length === 0) return show({ hasLater: page.hasLater, loading });
    const from = view.messages[0]?.at ?? Number.NEGATIVE_INFINITY;
    const again = new Map(
      page.messages.filter(({ at }) => (at ?? from) >= from).map((message) => [message.id, message]),
    );
    const messages = view.messages.map((message) => {
      const newer = again.get(message.id);
      again.delete(message.id);
      return newer ?? message;
    });
    const all = [...messages, ...again.values()];
    show({ messages: all.slice(Math.max(0, all.length - keep)), hasLater: page.hasLater, loading, growth });
  }

  function fail(error: unknown) {
    // A compaction rewrote the file, so our position is meaningless.
    if (error instanceof ApiError && error.code === STALE) return void open('end');
    show({ loading: null, edgeError: messageOf(error) });
  }

  async function followOnce() {
    // A session's transcript may be written a while after its first hook.
    if (view.phase === 'failed') return open(view.place);
    if (view.phase !== 'ready' || view.hasLater) return;
    const mine = view.opened;
    try {
      for (let more = true; more; ) {
        const page = await fetchPage({ after: cursors.end, limit });
        if (mine !== view.opened) return;
        append(page, 'followed');
        more = page.hasLater && page.messages.length > 0;
      }
    } catch (error) {
      if (mine === view.opened) fail(error);
    }
  }

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open,
    show: showMessage,
    loadEarlier: () => grow('earlier'),
    loadLater: () => grow('later'),
    follow() {
      following ??= followOnce().finally(() => {
        following = null;
      });
      return following;
    },
  };
}

function startOf(place: Place): Omit<Query, 'limit'> {
  return typeof place === 'object' ? place : { from: place };
}
