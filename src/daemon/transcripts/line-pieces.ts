import type { SEARCH_KINDS } from '../../contract/search-kinds.ts';
import { blocksOf, isRecord, type Line, recordOf, recordsOf, textOf } from './line.ts';
import { promptOf } from './prompt-of.ts';

/** One text of a line that can be searched, and how to find it in the line again. */
export interface LinePiece {
  /** Which of the message's blocks it is. */
  block: number;
  kind: (typeof SEARCH_KINDS)[number];
  /** The tool that is called. Of a result only the id of its call is known here. */
  tool: string | null;
  toolUseId: string | null;
  text: string;
}

/** What of a line can be searched: prompts, answers, thinking, what tools were given and what they gave back. */
export function piecesOf(line: Line): LinePiece[] {
  if (line.type === 'assistant') return blocksOf(line).flatMap(toAnswerPiece);
  const prompt = promptOf(line);
  if (prompt !== null) return [{ block: 0, kind: 'prompt', tool: null, toolUseId: null, text: prompt }];
  return line.type === 'user' ? blocksOf(line).flatMap(toResultPiece) : [];
}

function toAnswerPiece(block: Record<string, unknown>, index: number): LinePiece[] {
  const piece = { block: index, tool: null, toolUseId: null };
  if (block.type === 'text') return withText({ ...piece, kind: 'answer', text: textOf(block.text) });
  if (block.type === 'thinking') return withText({ ...piece, kind: 'thinking', text: textOf(block.thinking) });
  if (block.type !== 'tool_use') return [];
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
  if (block.type !== 'tool_result') return [];
  const { content } = block;
  const text =
    typeof content === 'string'
      ? content
      : recordsOf(content)
          .map((part) => textOf(part.text))
          .join('\n');
  return withText({
    block: index,
    kind: 'tool_output',
    tool: null,
    toolUseId: textOf(block.tool_use_id) || null,
    text,
  });
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
