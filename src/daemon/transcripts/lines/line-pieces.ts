import type { SEARCH_KINDS } from '../../../contract/search-kinds.ts';
import { readAttachment } from '../messages/attachments.ts';
import type { FoundPart } from '../messages/entry.ts';
import { readUserContent, resultText } from '../messages/read-content.ts';
import { readSystemNotice } from '../messages/system-notices.ts';
import { blocksOf, isRecord, type Line, recordOf, textOf, timeOf } from './line.ts';
import { promptOf } from './prompt-of.ts';

type SearchKind = (typeof SEARCH_KINDS)[number];

/** One text of a line that can be searched, and how to find it in the line again. */
export interface LinePiece {
  /** Which of the message's blocks it is; what the client says in its own words is counted from 1000 on. */
  block: number;
  kind: SearchKind;
  /** The tool that is called. Of a result only the id of its call is known here. */
  tool: string | null;
  toolUseId: string | null;
  text: string;
}

const NOTICES = 1000;

/** What of a line can be searched: all that the conversation shows of it. */
export function piecesOf(line: Line): LinePiece[] {
  switch (line.type) {
    case 'assistant':
      return blocksOf(line).flatMap(toAnswerPiece);
    case 'user':
      return userPieces(line);
    case 'attachment':
      return attachmentPieces(line);
    case 'system':
      return noticePieces([readSystemNotice(line)].flatMap((notice) => notice ?? []));
    case 'summary':
      return withText({ ...NO_TOOL, block: NOTICES, kind: 'summary', text: textOf(line.summary) });
    default:
      return [];
  }
}

const NO_TOOL = { tool: null, toolUseId: null };

function userPieces(line: Line): LinePiece[] {
  const prompt = promptOf(line);
  const { parts } = readUserContent(line, { start: 0, at: null });
  if (prompt !== null) return [{ ...NO_TOOL, block: 0, kind: 'prompt', text: prompt }, ...noticePieces(parts)];
  // words in a user's line that no person wrote
  const said = parts.map((part) => (part.kind === 'text' ? { ...part, kind: 'notice' as const, notice: '' } : part));
  return [...blocksOf(line).flatMap(toResultPiece), ...noticePieces(said)];
}

function attachmentPieces(line: Line): LinePiece[] {
  const prompt = promptOf(line);
  if (prompt !== null) return [{ ...NO_TOOL, block: 0, kind: 'prompt', text: prompt }];
  return noticePieces(readAttachment(line, { at: timeOf(line) }).parts ?? []);
}

function noticePieces(parts: FoundPart[]): LinePiece[] {
  return parts.flatMap((part, index) =>
    part.kind === 'notice'
      ? withText({ ...NO_TOOL, block: NOTICES + index, kind: kindOf(part.notice), text: part.text })
      : [],
  );
}

const KINDS: Record<string, SearchKind | undefined> = {
  command: 'command',
  command_output: 'command',
  compacted: 'summary',
  attachment: 'attachment',
};

function kindOf(notice: string): SearchKind {
  return (Object.hasOwn(KINDS, notice) && KINDS[notice]) || 'notice';
}

function toAnswerPiece(block: Record<string, unknown>, index: number): LinePiece[] {
  if (block.type === 'text') return withText({ ...NO_TOOL, block: index, kind: 'answer', text: textOf(block.text) });
  if (block.type === 'thinking')
    return withText({ ...NO_TOOL, block: index, kind: 'thinking', text: textOf(block.thinking) });
  // the server's own tools come under other names, with their results in the same message
  if (!textOf(block.type).endsWith('tool_use')) return toResultPiece(block, index);
  const tool = textOf(block.name).slice(0, 100) || '(no name)';
  // a call without words is still a call: it is counted
  return [
    {
      block: index,
      kind: 'tool_input',
      tool,
      toolUseId: textOf(block.id) || null,
      text: wordsIn(block.input).join('\n'),
    },
  ];
}

function toResultPiece(block: Record<string, unknown>, index: number): LinePiece[] {
  if (!textOf(block.type).endsWith('tool_result')) return [];
  const toolUseId = textOf(block.tool_use_id) || null;
  return withText({ block: index, kind: 'tool_output', tool: null, toolUseId, text: resultText(block) });
}

function withText(piece: LinePiece): LinePiece[] {
  return piece.text.trim() === '' ? [] : [piece];
}

/** Every string in what a tool is given: the names of its fields say nothing that anyone looks for. */
function wordsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, depth + 1));
  return isRecord(value) ? Object.values(recordOf(value)).flatMap((item) => wordsIn(item, depth + 1)) : [];
}
