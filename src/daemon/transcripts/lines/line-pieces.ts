import type { SEARCH_KINDS } from '../../../contract/search-kinds.ts';
import { isRecord, recordOf, textOf } from '../../../contract/values.ts';
import { readAttachment } from '../messages/attachments.ts';
import type { FoundPart } from '../messages/entry.ts';
import { readUserContent, resultText } from '../messages/read-content.ts';
import { readSystemNotice } from '../messages/system-notices.ts';
import { blocksOf, type Line, timeOf } from './line.ts';
import { promptOf } from './prompt-of.ts';

type SearchKind = (typeof SEARCH_KINDS)[number];

/** One searchable text of a line, and how to find it in the line again. */
export interface LinePiece {
  /** Which of the message's blocks it is; the client's own texts count from 1000. */
  block: number;
  kind: SearchKind;
  /** The called tool. For a result, only its call's id is known here. */
  tool: string | null;
  toolUseId: string | null;
  text: string;
}

const NOTICES = 1000;

/** What can be searched in a line: everything the conversation shows of it. */
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
  // text in a user line that no person wrote
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
  // server-side tools have other names, with their results in the same message
  if (!textOf(block.type).endsWith('tool_use')) return toResultPiece(block, index);
  const tool = textOf(block.name).slice(0, 100) || '(no name)';
  // a call without text is still a call, so it is counted
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

/** Every string in a tool's input: nobody searches for field names. */
function wordsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, depth + 1));
  return isRecord(value) ? Object.values(recordOf(value)).flatMap((item) => wordsIn(item, depth + 1)) : [];
}
