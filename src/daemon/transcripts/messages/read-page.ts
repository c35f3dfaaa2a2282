import type { MessagesQuery } from '../../../contract/messages.ts';
import type { ByteSource } from './byte-source.ts';
import { type Cursor, readCursor } from './cursor.ts';
import { UnknownMessage } from './errors.ts';
import { findMessage } from './find-message.ts';
import { findTime } from './find-time.ts';
import { type Draft, foldMessages } from './fold-messages.ts';
import { type Gathered, gatherBefore, gatherFrom } from './gather-entries.ts';
import { endOfLines } from './lines.ts';
import type { ReadOptions } from './read-entry.ts';
import { findCallHeads, findGroupHead, messageAt, readAhead } from './related-lines.ts';

export interface Page {
  drafts: Draft[];
  start: Cursor;
  end: Cursor;
  hasEarlier: boolean;
  hasLater: boolean;
  /** The message `around` asked for. */
  focusId: string | null;
}

interface PageOptions extends ReadOptions {
  /** Where the index has a message. */
  positionOf?: (messageId: string) => number | undefined;
}

type PageQuery = Omit<MessagesQuery, 'agentId'>;

/** A page of a transcript of any length, without reading what is far from it. */
export function readPage(source: ByteSource, query: PageQuery, options: PageOptions): Page {
  if (query.around !== undefined) return pageAround(source, query.around, query.limit, options);
  if (query.at !== undefined) return pageAt(source, query.at, query.limit, options);
  if (query.after !== undefined) return pageAfter(source, readCursor(source, query.after), query.limit, options);
  if (query.before !== undefined)
    return pageBefore(source, readCursor(source, query.before).position, query.limit, options);
  if (query.from === 'start') return pageAfter(source, { position: 0, seen: 0 }, query.limit, options);
  return pageBefore(source, endOfLines(source), query.limit, options);
}

function pageBefore(source: ByteSource, before: number, limit: number, options: PageOptions): Page {
  const gathered = gatherBefore(source, before, limit, options);
  const { drafts, seen } = complete(source, gathered, options);
  return {
    drafts,
    start: { position: gathered.start, seen: gathered.start },
    end: { position: before, seen },
    hasEarlier: gathered.hasMore,
    hasLater: before < endOfLines(source),
    focusId: null,
  };
}

/** A message from an earlier page with something new appears in this page again, complete: another line of it, or the result of one of its calls. */
function pageAfter(source: ByteSource, { position, seen }: Cursor, limit: number, options: PageOptions): Page {
  const gathered = gatherFrom(source, position, limit, options);
  const earlier = splitEarlier(source, gathered, { position, seen }, options);
  const { drafts, seen: nowSeen } = complete(source, { ...gathered, entries: earlier.rest }, options);
  const again = [...earlier.heads].sort((a, b) => a - b).map((head) => messageAt(source, head, options));
  return {
    drafts: [...again.filter((draft) => draft !== undefined), ...drafts],
    start: { position, seen: position },
    end: { position: gathered.end, seen: Math.max(nowSeen, seen) },
    hasEarlier: position > 0,
    hasLater: gathered.hasMore,
    focusId: null,
  };
}

function pageAround(source: ByteSource, id: string, limit: number, options: PageOptions): Page {
  const place = findMessage(source, id, { ...options, hint: options.positionOf?.(id) });
  if (!place) throw new UnknownMessage(id);
  const earlier = gatherBefore(source, place.head, Math.max(1, Math.floor(limit / 2)), options);
  const page = pageAfter(source, { position: earlier.start, seen: source.size }, limit, options);
  // long messages before it may have used up the page
  const hasIt = page.drafts.some(({ head }) => head === place.head);
  const shown = hasIt ? page : pageAfter(source, { position: place.head, seen: source.size }, limit, options);
  return {
    ...shown,
    hasEarlier: hasIt ? earlier.hasMore : true,
    focusId: shown.drafts.find(({ head }) => head === place.head)?.id ?? null,
  };
}

function pageAt(source: ByteSource, at: number, limit: number, options: PageOptions): Page {
  const start = findTime(source, at, options);
  if (start === undefined) return pageBefore(source, endOfLines(source), limit, options);
  return pageAround(source, `@${start}`, limit, options);
}

/** With what the page's messages lack, from after it. */
function complete(source: ByteSource, { entries, end }: Gathered, options: PageOptions) {
  const ahead = readAhead(source, end, entries, options);
  return { drafts: foldMessages([...entries, ...ahead.entries]), seen: Math.max(end, ahead.to) };
}

/** Lines that belong to messages before the page; the heads of those with updates. */
function splitEarlier(source: ByteSource, { entries }: Gathered, { position, seen }: Cursor, options: PageOptions) {
  const heads = new Set<number>();
  const group = entries.find(({ isTurn }) => isTurn)?.group;
  const head = group ? findGroupHead(source, position, group, options) : undefined;
  const isOfEarlier = (entry: (typeof entries)[number]) => head !== undefined && entry.group === group;
  if (head !== undefined && entries.some((entry) => isOfEarlier(entry) && entry.start >= seen)) heads.add(head);

  const here = new Set(
    entries.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool' ? part.toolUseId : []))),
  );
  const strangers = entries
    .filter(({ start }) => start >= seen)
    .flatMap(({ results }) => results.map(({ toolUseId }) => toolUseId).filter((id) => !here.has(id)));
  if (strangers.length > 0) for (const found of findCallHeads(source, position, strangers, options)) heads.add(found);
  return { heads, rest: head === undefined ? entries : entries.filter((entry) => !isOfEarlier(entry)) };
}
