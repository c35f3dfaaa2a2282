import { expect, test } from 'vitest';
import { createDrafts } from './drafts.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('a draft survives its page until it is dropped', () => {
  const storage = memory();
  const drafts = createDrafts(storage);
  let told = 0;
  drafts.subscribe(() => told++);
  drafts.set('prompt:s1', 'half a sentence');
  expect([drafts.get('prompt:s1'), told]).toEqual(['half a sentence', 1]);
  const reloaded = createDrafts(storage);
  expect(reloaded.get('prompt:s1')).toBe('half a sentence');
  reloaded.drop('prompt:s1');
  expect([reloaded.get('prompt:s1'), createDrafts(storage).get('prompt:s1')]).toEqual([undefined, undefined]);
});

test('a draft too large for storage stays in memory', () => {
  const full = {
    ...memory(),
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  const drafts = createDrafts(full);
  drafts.set('a', 'text');
  expect(drafts.get('a')).toBe('text');
});
