import { describe, expect, it } from 'vitest';
import { OpenMessages } from './open-messages.ts';

const delta = (messageId: string, kind: 'text' | 'thinking', offset: number, text: string, actor = 'main') => ({
  messageId,
  actor: { id: actor },
  kind,
  offset,
  text,
});

describe('OpenMessages', () => {
  it('joins deltas of a kind and keeps the order of kinds', () => {
    const open = new OpenMessages();
    open.take(delta('m', 'thinking', 0, 'Let me '));
    open.take(delta('m', 'thinking', 7, 'see.'));
    open.take(delta('m', 'text', 0, 'Yes'));
    open.take(delta('m', 'thinking', 11, ' Hm.'));
    open.take(delta('m', 'text', 3, ', that'));
    expect(open.deltas()).toEqual([
      delta('m', 'thinking', 0, 'Let me see.'),
      delta('m', 'text', 0, 'Yes'),
      delta('m', 'thinking', 11, ' Hm.'),
      delta('m', 'text', 3, ', that'),
    ]);
  });

  it('ignores text that it already has, and text after a gap', () => {
    const open = new OpenMessages();
    open.take(delta('m', 'text', 0, 'abc'));
    open.take(delta('m', 'text', 0, 'abcde'));
    open.take(delta('m', 'text', 1, 'bc'));
    open.take(delta('m', 'text', 9, 'late'));
    expect(open.deltas()).toEqual([delta('m', 'text', 0, 'abcde')]);
  });

  it("keeps the latest message of each actor, and none whose beginning it doesn't have", () => {
    const open = new OpenMessages();
    open.take(delta('one', 'text', 0, 'old'));
    open.take(delta('sub', 'text', 0, 'sub', 'a1'));
    open.take(delta('two', 'text', 5, 'middle'));
    open.take(delta('two', 'text', 11, 'more'));
    expect(open.deltas()).toEqual([delta('sub', 'text', 0, 'sub', 'a1')]);
    open.clear();
    expect(open.deltas()).toEqual([]);
  });

  it('gives up on a message of more than a million characters', () => {
    const open = new OpenMessages();
    open.take(delta('m', 'text', 0, 'x'.repeat(999_999)));
    open.take(delta('m', 'text', 999_999, 'xy'));
    expect(open.deltas()).toEqual([]);
    open.take(delta('m', 'text', 1_000_001, 'more'));
    expect(open.deltas()).toEqual([]);
  });
});
