import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceOf } from './byte-source-for-test.ts';
import { endOfLines, isLineStart, linesBackward, linesForward, type RawLine } from './lines.ts';

const texts = (lines: Iterable<{ bytes: Buffer | null }>) => [...lines].map(({ bytes }) => bytes?.toString() ?? null);

const plain = (lines: Iterable<RawLine>) =>
  Array.from(lines, (line) => ({ ...line, bytes: line.bytes?.toString('hex') }));

describe('lines', () => {
  it('are the same from either end, whatever the file contains', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', 'long'.repeat(20_000), '\r', '\0', 'é')), (pieces) => {
        const source = sourceOf(pieces.join(''));
        const forward = [...linesForward(source, 0)];
        expect(plain(linesBackward(source, source.size)).reverse()).toEqual(plain(forward));
        expect(endOfLines(source)).toBe(forward.at(-1)?.end ?? 0);
        for (const { start } of forward) expect(isLineStart(source, start)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('skip a partial last line', () => {
    const source = sourceOf('one\ntwo\nhal');
    expect(texts(linesForward(source, 0))).toEqual(['one', 'two']);
    expect(texts(linesBackward(source, source.size))).toEqual(['two', 'one']);
    expect(endOfLines(source)).toBe(8);
    expect(texts(linesForward(sourceOf('hal'), 0))).toEqual([]);
  });

  it('can be taken from the middle', () => {
    const source = sourceOf('one\ntwo\nthree\n');
    expect(texts(linesForward(source, 4))).toEqual(['two', 'three']);
    expect(texts(linesBackward(source, 8))).toEqual(['two', 'one']);
  });

  it('skip a line that is too long, and continue after it', () => {
    const source = sourceOf(`one\n${'x'.repeat(500_000)}\ntwo\n`);
    expect(texts(linesForward(source, 0, 300_000))).toEqual(['one', null, 'two']);
    expect(texts(linesBackward(source, source.size, 300_000))).toEqual(['two', null, 'one']);
  });

  it('read only what is requested', () => {
    const source = sourceOf('x'.repeat(99).concat('\n').repeat(100_000));
    linesBackward(source, source.size).next();
    linesForward(source, 0).next();
    expect(source.bytesRead).toBeLessThanOrEqual(2 * 128 * 1024);
  });
});
