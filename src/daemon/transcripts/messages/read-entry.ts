import { recordOf, textOf } from '../../../contract/values.ts';
import { type Line, timeOf } from '../lines/line.ts';
import { skipPadding } from '../lines/padding.ts';
import { readAttachment } from './attachments.ts';
import type { Entry, FoundPart } from './entry.ts';
import type { RawLine } from './lines.ts';
import { readAssistantContent, readUsage, readUserContent } from './read-content.ts';
import { readSystemNotice } from './system-notices.ts';

const TYPES = new Set(['user', 'assistant', 'attachment', 'system', 'summary', 'queue-operation']);
const TYPE_FIRST = Buffer.from('{"type":"');
/** The client's own prompt, about 60 kB per turn. */
const SNAPSHOT = Buffer.from('"attachment":{"type":"prompt_snapshot"');

export interface ReadOptions {
  /** A subagent's conversation is all side chain; in the main agent's, a side chain belongs to someone else. */
  isSubagent: boolean;
}

/** undefined: the line has nothing a reader wants to see, has an unknown type, or is broken. */
export function readEntry(line: RawLine, { isSubagent }: ReadOptions): Entry | undefined {
  const { start, end } = line;
  const entry: Entry = {
    start,
    end,
    uuid: null,
    role: 'system',
    at: null,
    isMeta: true,
    group: null,
    isTurn: false,
    model: null,
    usage: null,
    parts: [],
    results: [],
  };
  if (line.bytes === null) return { ...entry, parts: [tooLong(end - start)] };
  const fields = parse(line.bytes);
  if (!fields || (!isSubagent && fields.isSidechain === true)) return undefined;
  entry.uuid = textOf(fields.uuid) || null;
  entry.at = timeOf(fields);
  const type = textOf(fields.type);
  // a type may have the name of an Object property
  const read = Object.hasOwn(READERS, type) ? READERS[type]?.(fields, entry) : undefined;
  return read && (read.parts.length > 0 || read.results.length > 0 || read.group !== null) ? read : undefined;
}

type Reader = (fields: Line, entry: Entry) => Entry;

const READERS: Record<string, Reader | undefined> = {
  user(fields, entry) {
    const { parts, results } = readUserContent(fields, entry);
    const isMeta = isFromClient(fields) || parts.every(isFromClientPart);
    return { ...entry, role: 'user', isMeta, isTurn: parts.length > 0 && !isMeta, parts, results };
  },
  assistant(fields, entry) {
    const message = recordOf(fields.message);
    const model = textOf(message.model);
    const { parts, results } = readAssistantContent(fields, entry);
    return {
      ...entry,
      role: 'assistant',
      isMeta: false,
      group: textOf(message.id) || entry.uuid || `@${entry.start}`,
      isTurn: true,
      model: model === '<synthetic>' ? null : model || null,
      usage: model === '<synthetic>' ? null : readUsage(message.usage),
      parts,
      results,
    };
  },
  attachment(fields, entry) {
    return { ...entry, ...readAttachment(fields, entry) };
  },
  system(fields, entry) {
    const part = readSystemNotice(fields);
    return { ...entry, isMeta: part?.notice !== 'compacted', parts: part ? [part] : [] };
  },
  summary(fields, entry) {
    const text = textOf(fields.summary);
    return { ...entry, parts: text ? [{ kind: 'notice', notice: 'summary', text }] : [] };
  },
  'queue-operation'(fields, entry) {
    const text = textOf(fields.content);
    // what leaves the queue arrives as a prompt
    const isWaiting = fields.operation === 'enqueue' && text !== '' && !text.startsWith('<task-notification>');
    return { ...entry, parts: isWaiting ? [{ kind: 'notice', notice: 'queue', text }] : [] };
  },
};

function parse(line: Buffer): Line | undefined {
  const bytes = line.subarray(skipPadding(line, 0, line.length));
  if (isNotShown(bytes)) return undefined;
  try {
    return recordOf(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Determined from a line's beginning, since most of a transcript's bytes are in lines nobody reads. */
function isNotShown(bytes: Buffer): boolean {
  if (bytes.subarray(0, TYPE_FIRST.length).equals(TYPE_FIRST)) {
    const end = bytes.indexOf('"', TYPE_FIRST.length);
    return end !== -1 && end < 100 && !TYPES.has(bytes.toString('latin1', TYPE_FIRST.length, end));
  }
  return bytes.length > 8192 && bytes.subarray(0, 512).includes(SNAPSHOT);
}

function isFromClient(fields: Line): boolean {
  return fields.isMeta === true || fields.isCompactSummary === true || fields.isVisibleInTranscriptOnly === true;
}

/** A person typed a command or interrupted; all other notices were written for them. */
function isFromClientPart(part: FoundPart): boolean {
  return part.kind === 'notice' && part.notice !== 'command' && part.notice !== 'interrupted';
}

function tooLong(bytes: number): FoundPart {
  const text = `This ${Math.round(bytes / 1024 / 1024)} MB line is too long to show.`;
  return { kind: 'notice', notice: 'too_long', text };
}
