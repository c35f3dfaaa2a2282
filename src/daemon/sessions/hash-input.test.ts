import { describe, expect, it } from 'vitest';
import { hashInput } from './hash-input.ts';

const long = 'x'.repeat(100_000);

describe('hashInput', () => {
  it('is the input itself if it is short', () => {
    expect(hashInput({ command: 'ls' })).toBe('{"command":"ls"}');
    expect(hashInput(undefined)).toBe('');
  });

  it.each([
    [{ command: 'ls' }, { command: 'ls ' }],
    [{ a: 'x'.repeat(200) }, { b: 'x'.repeat(200) }],
    [{ content: long }, { content: `${long}y` }],
    [
      { content: long, a: 1 },
      { content: long, a: '1' },
    ],
    [
      { content: long, list: ['ab'] },
      { content: long, list: ['a', 'b'] },
    ],
    [
      { content: long, list: [] },
      { content: long, list: {} },
    ],
    [{ content: long, a: null }, { content: long }],
    [{ content: `${long}\uD83D\uDE00` }, { content: `${long}\uD83D\uDE01` }],
  ])('distinguishes inputs: %#', (one, other) => {
    expect(hashInput(one)).not.toBe(hashInput(other));
    expect(hashInput(structuredClone(one))).toBe(hashInput(one));
  });

  it('is short whatever the input size', () => {
    expect(hashInput({ content: long })).toHaveLength(12);
    expect(hashInput({ content: 'x'.repeat(1000) })).toHaveLength(12);
  });
});
