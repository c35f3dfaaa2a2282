import type { ShellOutput } from '../../../../src/contract/shells.ts';

export interface OutputLine {
  /** Offset of its first character from the start of the shell's output. */
  at: number;
  stream: 'stdout' | 'stderr';
  text: string;
}

export interface OutputState {
  lines: OutputLine[];
  cursor: number;
  /** Characters that aren't shown: the shell has dropped them, or there are too many for the page. */
  missed: number;
}

export const NO_OUTPUT: OutputState = { lines: [], cursor: 0, missed: 0 };
const MOST_LINES = 2000;

/** Appends new output. An unfinished line grows, but stdout and stderr never share one. */
export function addOutput(before: OutputState, { pieces, cursor, missed }: ShellOutput): OutputState {
  const lines = [...before.lines];
  for (const { stream, text, at } of pieces) {
    let start = at;
    for (const part of text.split(/(?<=\n)/)) {
      const last = lines.at(-1);
      if (last && last.stream === stream && !last.text.endsWith('\n') && last.at + last.text.length === start)
        lines[lines.length - 1] = { ...last, text: last.text + part };
      else lines.push({ at: start, stream, text: part });
      start += part.length;
    }
  }
  const dropped = lines.splice(0, Math.max(0, lines.length - MOST_LINES));
  const hidden = dropped.reduce((sum, { text }) => sum + text.length, 0);
  return { lines, cursor, missed: before.missed + missed + hidden };
}
