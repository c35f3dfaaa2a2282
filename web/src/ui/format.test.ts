import { describe, expect, it } from 'vitest';
import { clip, clipLine, formatDuration, formatTokens, humanize, shortModel } from './format.ts';

describe('formatDuration', () => {
  it.each([
    [-5_000, '0s'],
    [0, '0s'],
    [59_999, '59s'],
    [60_000, '1m 00s'],
    [9 * 60_000 + 5_000, '9m 05s'],
    [10 * 60_000, '10m'],
    [3_600_000 + 4 * 60_000, '1h 04m'],
    [2 * 86_400_000 + 3 * 3_600_000, '2d 3h'],
  ])('%d ms reads %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatTokens', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1.0k'],
    [99_949, '99.9k'],
    [99_950, '100k'],
    [999_499, '999k'],
    [999_500, '1.0M'],
    [999_999, '1.0M'],
    [1_000_000, '1.0M'],
    [99_950_000, '100M'],
    [999_499_999, '999M'],
    [999_500_000, '1.0B'],
    [12_345_678_900, '12.3B'],
  ])('%d reads %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });
});

describe('clipping', () => {
  it('turns a megabyte with line breaks into one short line', () => {
    const line = clipLine(`first\n\n  second ${'x'.repeat(1_000_000)}`, 40);
    expect(line).toHaveLength(40);
    expect(line.startsWith('first second xxx')).toBe(true);
    expect(line.endsWith('…')).toBe(true);
  });

  it('does not cut an emoji in half', () => {
    expect(clip('ab😀cd', { max: 4 })).toBe('ab…');
  });

  it('leaves short text alone', () => {
    expect(clip('two\nlines', { max: 20 })).toBe('two\nlines');
  });
});

it('reads an unknown state as words', () => {
  expect(humanize('conflict_resolution')).toBe('Conflict resolution');
});

it.each([
  ['claude-opus-4-5-20251101', 'opus 4.5'],
  ['claude-sonnet-4-20250514', 'sonnet 4'],
  ['claude-3-5-haiku-20241022', '3-5-haiku'],
  ['claude-opus-4-5-20251101[1m]', 'opus 4.5[1m]'],
  ['gpt-oss', 'gpt-oss'],
])('shortens the model %s to %s', (model, short) => {
  expect(shortModel(model)).toBe(short);
});
