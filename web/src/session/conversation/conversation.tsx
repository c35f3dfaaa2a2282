import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, MessagesSquare } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Message } from '../../../../src/contract/messages.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { ConversationProvider, useConversationContext } from './conversation-context.ts';
import type { ConversationView, Place, Conversation as Store } from './conversation-store.ts';
import { createExpandedParts, type ExpandedParts, ExpandedPartsProvider, expand } from './expanded-parts.ts';
import { FindBar } from './find-bar.tsx';
import { MessageRow } from './message-row.tsx';
import { useConversation, useFollow } from './use-conversation.ts';
import { useFinder } from './use-finder.ts';
import { useMarks } from './use-marks.ts';
import { useRows } from './use-rows.ts';
import type { Row } from './with-streaming.ts';

const LIMIT = 100;
/** How close to an edge, in messages, before more is fetched. */
const NEAR = 25;
const END_PX = 60;

interface Props {
  sessionId: string;
  agentId: string | null;
  /** The message or tool call to start at. */
  messageId: string | undefined;
  /** Otherwise: the time to start at. */
  at: number | undefined;
  /** Text to search for right away. */
  find: string | undefined;
  /** The session's position: a change means something may have been written. */
  seq: number | undefined;
  isLive: boolean;
}

/** Use a different `key` for another session or subagent. */
export function Conversation({ sessionId, agentId, messageId, at, find, seq, isLive }: Props) {
  const place: Place = messageId ? { around: messageId } : at === undefined ? 'end' : { at };
  const [view, conversation] = useConversation({ sessionId, agentId, limit: LIMIT, place });
  useFollow(conversation, seq);
  const rows = useRows(view, { sessionId, agentId });
  const [expanded] = useState(createExpandedParts);
  const where = useMemo(() => ({ sessionId, agentId, isLive, depth: 0 }), [sessionId, agentId, isLive]);

  const sought = messageId ?? at;
  const jumped = useRef(sought);
  useEffect(() => {
    if (sought === undefined || jumped.current === sought) return;
    jumped.current = sought;
    void conversation.open(typeof sought === 'string' ? { around: sought } : { at: sought });
  }, [conversation, sought]);
  useUnfoldCall(expanded, view, messageId);
  useCarryFolds(expanded, rows);

  if (view.phase === 'opening' && rows.length === 0)
    return (
      <div className="p-6">
        <Skeleton lines={9} what="the conversation" />
      </div>
    );
  if (view.phase === 'failed' && rows.length === 0)
    return (
      <div className="p-6">
        <Failure message={view.error ?? ''} onRetry={() => void conversation.open(view.place)} />
      </div>
    );
  if (rows.length === 0 && !view.hasEarlier)
    return (
      <Empty icon={MessagesSquare} title="No messages yet">
        <p>Messages appear here as the session writes them.</p>
      </Empty>
    );
  return (
    <ExpandedPartsProvider value={expanded}>
      <ConversationProvider value={where}>
        <MessageList view={view} rows={rows} conversation={conversation} expanded={expanded} find={find} />
      </ConversationProvider>
    </ExpandedPartsProvider>
  );
}

/** A call opened by its id is expanded. */
function useUnfoldCall(expanded: ExpandedParts, { messages, focusId }: ConversationView, sought: string | undefined) {
  useLayoutEffect(() => {
    const message = messages.find(({ id }) => id === focusId);
    const part = message?.parts.findIndex((one) => one.kind === 'tool' && one.toolUseId === sought) ?? -1;
    if (message && part >= 0 && expanded.get(`${message.id}/${part}`) === undefined) expand(expanded, message.id, part);
  }, [expanded, messages, focusId, sought]);
}

/** A thought that was opened while it arrived stays open when the transcript has it, under another id. */
function useCarryFolds(expanded: ExpandedParts, rows: readonly Row[]) {
  useLayoutEffect(() => {
    for (const { message, key } of rows) {
      if (message.id === key) continue;
      for (const index of message.parts.keys()) {
        const open = expanded.get(`${key}/${index}`);
        if (open !== undefined && expanded.get(`${message.id}/${index}`) === undefined)
          expanded.set(`${message.id}/${index}`, open);
      }
    }
  }, [expanded, rows]);
}

interface ListProps {
  view: ConversationView;
  rows: readonly Row[];
  conversation: Store;
  expanded: ExpandedParts;
  find: string | undefined;
}

function MessageList({ view, rows, conversation, expanded, find }: ListProps) {
  const { sessionId, agentId } = useConversationContext();
  const { hasEarlier, hasLater } = view;
  const messages = useMemo(() => rows.map(({ message }) => message), [rows]);
  const scroller = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  /** The window whose initial scroll position has settled. */
  const [still, setStill] = useState(0);
  const focusedIndex = focused === null ? -1 : messages.findIndex(({ id }) => id === focused);

  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(messages[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    anchorTo: 'end',
    // A page loaded by scrolling must not move the reader.
    followOnAppend: view.growth === 'followed' || rows.at(-1)?.isStreaming === true,
    scrollEndThreshold: END_PX,
    overscan: 6,
    paddingStart: 44,
    paddingEnd: 28,
    // Keep the focused row mounted, or keyboard focus is lost.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) =>
      indexes(Math.max(0, startIndex - overscan), Math.min(count - 1, endIndex + overscan), focusedIndex),
  });
  const items = virtualizer.getVirtualItems();
  const first = items.find(({ index }) => index !== focusedIndex)?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const distance = virtualizer.getDistanceFromEnd();
  const atEnd = !hasLater && distance <= END_PX;
  const unseen = useUnseen(view, atEnd);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each window that was opened
  useLayoutEffect(() => {
    if (view.phase !== 'ready') return;
    const at = messages.findIndex(({ id }) => id === view.focusId);
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'center' });
    else if (view.place === 'start') virtualizer.scrollToOffset(0);
    else virtualizer.scrollToEnd();
    // Messages that arrive before the list settles would shift the target position.
    return whenStill(scroller.current, () => setStill(view.opened));
  }, [view.opened, view.shown, view.phase]);

  const visibleIndex = () => virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + 60)?.index ?? 0;
  const finder = useFinder({
    sessionId,
    agentId,
    conversation,
    expanded,
    here: (found) =>
      found !== null && items.some(({ index }) => messages[index]?.id === found) ? found : messages[visibleIndex()]?.id,
  });
  useMarks(scroller, finder.marked);

  useEffect(() => {
    if (view.edgeError || still !== view.opened) return;
    if (hasEarlier && first < NEAR) void conversation.loadEarlier();
    else if (hasLater && last >= messages.length - NEAR) void conversation.loadLater();
  }, [conversation, hasEarlier, hasLater, first, last, messages.length, view.edgeError, still, view.opened]);

  useStayAtEnd(scroller, {
    hasEnd: !hasLater,
    openedThere: view.place === 'end',
    toEnd: () => virtualizer.scrollToEnd(),
  });

  const toEnd = () => {
    if (hasLater) void conversation.open('end');
    else virtualizer.scrollToEnd({ behavior: distance < 4000 ? 'smooth' : 'auto' });
  };
  const toStart = () => {
    if (hasEarlier) void conversation.open('start');
    else virtualizer.scrollToOffset(0);
  };
  const step = (by: number) => {
    const next = focusedIndex < 0 ? visibleIndex() : focusedIndex + by;
    const message = messages[Math.max(0, Math.min(messages.length - 1, next))];
    if (!message) return;
    setFocused(message.id);
    virtualizer.scrollToIndex(messages.indexOf(message), { align: 'auto' });
  };
  // The selected row may not be built yet.
  useEffect(() => {
    if (focused === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(focused)}"]`);
    if (row && !row.contains(document.activeElement)) row.focus({ preventScroll: true });
  }, [focused]);

  useShortcuts('Conversation', [
    { keys: ['j'], what: 'Next message', run: () => step(1) },
    { keys: ['k'], what: 'Previous message', run: () => step(-1) },
    { keys: ['Home'], what: 'Go to the start', run: toStart },
    { keys: ['End'], what: 'Go to the end', run: toEnd },
  ]);

  return (
    <div className="conversation-frame">
      <FindBar finder={finder} start={find} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={scroller} className="conversation" aria-label="Conversation" tabIndex={0} data-scrolls>
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          <p className="conversation-top">
            {view.edgeError ? (
              <button type="button" className="text-button" onClick={() => void conversation.loadEarlier()}>
                {view.edgeError} Try again
              </button>
            ) : hasEarlier ? (
              'Loading earlier messages…'
            ) : (
              'Start of conversation'
            )}
          </p>
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            if (!row) return null;
            const { message, isStreaming, isUnfinished } = row;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: only notes which row has the focus
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                data-message={message.id}
                data-sought={message.id === view.focusId || undefined}
                tabIndex={-1}
                className="conversation-row"
                style={{ transform: `translateY(${start}px)` }}
                onFocus={() => setFocused(message.id)}
              >
                {/* The first message probably continues from one that isn't loaded. */}
                <MessageRow
                  message={message}
                  before={messages[index - 1] ?? (hasEarlier ? message : undefined)}
                  isStreaming={isStreaming}
                  isUnfinished={isUnfinished}
                />
              </div>
            );
          })}
        </div>
      </section>
      {!atEnd && (
        <button type="button" className="to-end" data-new={unseen > 0 || undefined} onClick={toEnd}>
          <ArrowDown aria-hidden size={15} />
          {unseen > 0 ? (unseen === 1 ? '1 new message' : `${unseen} new messages`) : 'Jump to latest'}
        </button>
      )}
    </div>
  );
}

interface AtEnd {
  /** The end is loaded. */
  hasEnd: boolean;
  /** It opened at the end, so it is at the end before anyone scrolls. */
  openedThere: boolean;
  toEnd: () => void;
}

/** A request that opens below takes height from the list: stay at the end if that's where the reader was. */
function useStayAtEnd(scroller: RefObject<HTMLElement | null>, given: AtEnd) {
  const latest = useRef(given);
  useEffect(() => {
    latest.current = given;
  });
  useEffect(() => {
    const list = scroller.current;
    if (!list) return;
    let height = list.clientHeight;
    let scrolled = false;
    const onScroll = () => {
      scrolled = true;
    };
    const observer = new ResizeObserver(() => {
      const { hasEnd, openedThere, toEnd } = latest.current;
      const wasAtEnd = hasEnd && list.scrollHeight - list.scrollTop - height <= END_PX;
      height = list.clientHeight;
      if (wasAtEnd && (scrolled || openedThere)) toEnd();
    });
    list.addEventListener('scroll', onScroll, { passive: true });
    observer.observe(list);
    return () => {
      list.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [scroller]);
}

const STILL_FRAMES = 4;

/** Rows are measured as they appear, so a list reaches its position in steps. Returns a function that stops it. */
function whenStill(list: HTMLElement | null, run: () => void): () => void {
  let place = Number.NaN;
  let frames = 0;
  let handle = requestAnimationFrame(function look() {
    const now = list?.scrollTop ?? 0;
    frames = now === place ? frames + 1 : 0;
    place = now;
    if (frames >= STILL_FRAMES) run();
    else handle = requestAnimationFrame(look);
  });
  return () => cancelAnimationFrame(handle);
}

/** How many messages arrived while the reader was further up. */
function useUnseen(view: ConversationView, atEnd: boolean): number {
  const seen = useRef(view.messages.length);
  const last = useRef(view.messages.at(-1)?.id);
  const [unseen, setUnseen] = useState(0);
  const { messages, growth } = view;
  useEffect(() => {
    const newest = messages.at(-1)?.id;
    if (atEnd || growth === 'opened') setUnseen(0);
    else if (growth === 'followed' && newest !== last.current)
      setUnseen((before) => before + messages.length - seen.current);
    seen.current = messages.length;
    last.current = newest;
  }, [messages, growth, atEnd]);
  return unseen;
}

function indexes(from: number, to: number, also: number): number[] {
  const list = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  if (also < 0 || (also >= from && also <= to)) return list;
  return also < from ? [also, ...list] : [...list, also];
}

/** Close enough that the scrollbar doesn't jump. */
function estimate(message: Message | undefined): number {
  let height = 16;
  for (const part of message?.parts ?? []) {
    if (part.kind === 'text') height += 36 + Math.min(1200, Math.ceil(part.text.length / 95) * 22);
    else if (part.kind === 'image') height += 260;
    else height += 32;
  }
  return height;
}
