import { expect, it } from 'vitest';
import { addOutput, NO_OUTPUT } from './output-lines.ts';

const piece = (stream: 'stdout' | 'stderr', at: number, text: string) => ({ stream, at, text });
const answer = (...pieces: ReturnType<typeof piece>[]) => {
  const end = pieces.at(-1)!;
  return { pieces, cursor: end.at + end.text.length, missed: 0 };
};

it('continues an unfinished line, and keeps stdout and stderr apart', () => {
  const first = addOutput(NO_OUTPUT, answer(piece('stdout', 0, 'one\ntw')));
  const second = addOutput(
    first,
    answer(piece('stdout', 6, 'o\n'), piece('stderr', 8, 'oops\n'), piece('stdout', 13, 'three')),
  );
  expect(second.lines.map(({ stream, text }) => [stream, text])).toEqual([
    ['stdout', 'one\n'],
    ['stdout', 'two\n'],
    ['stderr', 'oops\n'],
    ['stdout', 'three'],
  ]);
});

it('keeps the last 2,000 lines and counts the rest as not shown', () => {
  const text = Array.from({ length: 2500 }, (_, at) => `${at}\n`).join('');
  const { lines, missed } = addOutput(NO_OUTPUT, answer(piece('stdout', 0, text)));
  expect([lines.length, lines[0]?.text]).toEqual([2000, '500\n']);
  expect(missed).toBe(lines[0]?.at);
});
