import { expect, it } from 'vitest';
import { sourceOf } from './byte-source-for-test.ts';
import { findTime } from './find-time.ts';
import { type Match, matcherFor, pickMatch } from './match-message.ts';
import { answer, call, prompt, result, say, turns, uuid } from './transcript-for-test.ts';
import { walkDrafts } from './walk-drafts.ts';

const OPTIONS = { isSubagent: false };

function find(text: string, query: Parameters<typeof matcherFor>[0]): { id: string; parts: number[] }[] {
  const matching = matcherFor(query);
  return [...walkDrafts(sourceOf(text), OPTIONS)]
    .flat()
    .map((draft) => ({ id: draft.id, parts: matching(draft) }))
    .filter(({ parts }) => parts.length > 0);
}

const transcript = [
  turns(300),
  prompt('Please fix the Webhooks'),
  answer('a', 'msg_a', say('Looking.')),
  answer('b', 'msg_a', call('t1', 'Bash', { command: 'npm test', nested: { deep: ['needle'] } })),
  result('r', 't1', 'FAIL src/Webhooks.test.ts', { is_error: true }),
  prompt('note', '<system-reminder>webhooks</system-reminder>', { isMeta: true }),
].join('');

it('finds text in messages, inputs and results, ignoring case, and reports where', () => {
  expect(find(transcript, { what: 'text', q: 'webHOOKS' })).toMatchObject([
    { id: uuid('Please fix the Webhooks'), parts: [0] },
    { id: uuid('a'), parts: [1] },
    { id: uuid('note') },
  ]);
  expect(find(transcript, { what: 'text', q: 'needle' })).toEqual([{ id: uuid('a'), parts: [1] }]);
  expect(find(transcript, { what: 'text', q: ' ' })).toEqual([]);
});

it("finds a person's prompts and failed calls", () => {
  expect(find(transcript, { what: 'prompt', q: '' })).toHaveLength(301);
  expect(find(transcript, { what: 'error', q: '' })).toEqual([{ id: uuid('a'), parts: [1] }]);
});

it('goes to the next, previous or nearest match, and wraps around', () => {
  const matches: Match[] = [10, 20, 30].map((head) => ({ head, id: `${head}`, parts: [0] }));
  const pick = (direction: 'next' | 'previous' | 'nearest', from: number) => pickMatch(matches, { direction, from });
  expect([pick('next', 10), pick('next', 30), pick('next', 5)]).toEqual([1, 0, 0]);
  expect([pick('previous', 10), pick('previous', 25)]).toEqual([2, 1]);
  expect([pick('nearest', 20), pick('nearest', 29), pick('nearest', 5)]).toEqual([1, 1, 0]);
  expect(pickMatch([], { direction: 'next', from: 0 })).toBeUndefined();
});

it('finds the last message at a time, without reading all of a long file', () => {
  const start = Date.parse('2026-11-15T00:00:00Z');
  const at = (minute: number) => ({ timestamp: new Date(start + minute * 60_000).toISOString() });
  const lines = Array.from({ length: 4000 }, (_, minute) => prompt(`p${minute}`, 'x'.repeat(1000), at(minute)));
  const source = sourceOf(lines.join(''));
  const position = (index: number) => lines.slice(0, index).join('').length;
  expect(findTime(source, start + 2500 * 60_000 + 5_000, OPTIONS)).toBe(position(2500));
  expect(findTime(source, start - 1, OPTIONS)).toBe(0);
  expect(findTime(source, start + 1e12, OPTIONS)).toBe(position(3999));
});
