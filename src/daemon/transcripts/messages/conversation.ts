import type { Message, MessagePage, MessagesQuery } from '../../../contract/messages.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { openFile, withFile } from './byte-source.ts';
import { writeCursor } from './cursor.ts';
import { UnknownImage, UnknownMessage } from './errors.ts';
import { findMessage } from './find-message.ts';
import { agentsFolder, findAgentTranscript, findTranscript } from './find-transcript.ts';
import { type ImageData, readImage, readImageId } from './images.ts';
import { type Limits, PAGE_LIMITS, WHOLE } from './limits.ts';
import { readPage } from './read-page.ts';
import { messageAt } from './related-lines.ts';
import { agentsOf } from './session-agents.ts';
import { startedAgents } from './started-agents.ts';
import { type Rendering, toMessage } from './to-message.ts';
import { walkDrafts } from './walk-drafts.ts';

/** Which conversation: a session's own, or one of its subagents'. */
export interface Wanted {
  sessionId: string;
  agentId: string | undefined;
  /** Where its hooks say its transcript is. */
  claimed: string | null;
}

function readMessages(context: ReaderContext, args: Wanted & { query: Omit<MessagesQuery, 'agentId'> }): MessagePage {
  const place = locate(context, args);
  return withFile(place.path, (source) => {
    const options = { ...place.options, positionOf: (id: string) => positionOf(context, place.path, id) };
    const { drafts, start, end, hasEarlier, hasLater, focusId } = readPage(source, args.query, options);
    const rendering = renderingOf(context, place, PAGE_LIMITS);
    return {
      messages: drafts.map((draft) => toMessage(draft, rendering)),
      start: writeCursor(start),
      end: writeCursor(end),
      hasEarlier,
      hasLater,
      focusId,
      bytes: source.size,
    };
  });
}

/** One complete message. */
function readMessage(context: ReaderContext, args: Wanted & { messageId: string }): Message {
  const place = locate(context, args);
  return withFile(place.path, (source) => {
    const hint = positionOf(context, place.path, args.messageId);
    const found = findMessage(source, args.messageId, { ...place.options, hint });
    const draft = found && messageAt(source, found.head, place.options);
    if (!draft) throw new UnknownMessage(args.messageId);
    return toMessage(draft, renderingOf(context, place, WHOLE));
  });
}

/** As text: a page has hundreds of thousands of characters, and the thread that answers hooks must not serialize them. */
export function messagesJson(context: ReaderContext, args: Parameters<typeof readMessages>[1]): string {
  return JSON.stringify(readMessages(context, args));
}

export function messageJson(context: ReaderContext, args: Parameters<typeof readMessage>[1]): string {
  return JSON.stringify(readMessage(context, args));
}

export function readSessionImage(
  context: ReaderContext,
  { imageId, ...wanted }: Omit<Wanted, 'agentId'> & { imageId: string },
): ImageData {
  const id = readImageId(imageId);
  return withFile(locate(context, { ...wanted, agentId: id.agentId }).path, (source) => readImage(source, id));
}

/** The whole conversation, in order, holding at most a page. What is written meanwhile is left out. */
export function openConversation(context: ReaderContext, wanted: Wanted) {
  const place = locate(context, wanted);
  return {
    messages: allMessages(place, renderingOf(context, place, WHOLE)),
    image: (imageId: string) => tryImage(place.path, imageId),
    /** All of the session's subagents, wherever they were started. */
    agentIds: () => agentsOf(context, { sessionId: wanted.sessionId, path: place.path }),
  };
}

function* allMessages({ path, options }: Located, rendering: Rendering): Generator<Message> {
  const source = openFile(path);
  try {
    for (const drafts of walkDrafts(source, options)) for (const draft of drafts) yield toMessage(draft, rendering);
  } finally {
    source.close();
  }
}

function tryImage(path: string, imageId: string): ImageData | undefined {
  try {
    return withFile(path, (source) => readImage(source, readImageId(imageId)));
  } catch (error) {
    if (error instanceof UnknownImage) return undefined;
    throw error;
  }
}

interface Located {
  path: string;
  folder: string;
  agentId: string | undefined;
  options: { isSubagent: boolean };
}

export function locate({ db, paths }: ReaderContext, { sessionId, agentId, claimed }: Wanted): Located {
  const indexed = (
    db
      .prepare('SELECT path FROM files WHERE session_id = ? AND agent_id IS ? ORDER BY mtime_ms DESC LIMIT 5')
      .all(sessionId, agentId ?? null) as { path: string }[]
  ).map(({ path }) => path);
  const { configDir, nativeDir } = paths;
  const sought = { configDir, ...(nativeDir === undefined ? {} : { nativeDir }), sessionId };
  const path =
    agentId === undefined
      ? findTranscript({ ...sought, claims: [claimed, ...indexed] })
      : findAgentTranscript({ ...sought, claims: [claimed], agentId, indexed });
  return { path, folder: agentsFolder(path, sessionId), agentId, options: { isSubagent: agentId !== undefined } };
}

function positionOf({ db }: ReaderContext, path: string, uuid: string): number | undefined {
  const found = db
    .prepare('SELECT start FROM pieces WHERE file_id = (SELECT id FROM files WHERE path = ?) AND uuid = ? LIMIT 1')
    .get(path, uuid) as { start: number } | undefined;
  return found?.start;
}

function renderingOf({ prices }: ReaderContext, { folder, agentId }: Located, limits: Limits): Rendering {
  return { limits, agentId, prices, agentOf: startedAgents(folder) };
}
