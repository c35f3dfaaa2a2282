import { expect, test } from 'vitest';
import { answer, lines, makeIndex } from '../index/index-for-test.ts';
import { search } from './search.ts';

const now = Date.parse('2026-11-16T12:00:00Z');

test('a prefix of very many words finds some and says there are more; combined with other words, it finds every match', async () => {
  const index = makeIndex();
  const many = Array.from({ length: 900 }, (_, n) => answer({ id: `w${n}`, uuid: `w${n}`, text: `sa${n}x` }));
  const both = answer({ id: 'both', uuid: 'both', text: 'a quokka sleeps at szolnok' });
  const other = answer({ id: 'other', uuid: 'other', text: 'a quokka eats' });
  index.write('p/s1.jsonl', lines(...many, both, other));
  await index.scan();
  const find = (q: string) => search(index.reader(), { q, offset: 0, limit: 100, live: [], now, timeZone: 'UTC' });
  const alone = await find('s*');
  expect(alone).toMatchObject({ isTotalCapped: true });
  expect(alone.total).toBeGreaterThanOrEqual(40);
  expect(alone.hits.every(({ messageId }) => /^(w\d+|both)$/.test(messageId))).toBe(true);
  const together = await find('quokka sz*');
  expect(together.hits.map(({ messageId }) => messageId)).toEqual(['both']);
  const broad = await find('quokka s*');
  expect(broad).toMatchObject({ total: 1, isTotalCapped: false, hits: [{ messageId: 'both' }] });
});
