import { expect, test } from 'vitest';
import { MORE_PLANTED_SEARCHES } from '../../../../test/kit/more-planted-searches.ts';
import { PLANTED_SEARCHES } from '../../../../test/kit/planted-searches.ts';
import { THIRD_PLANTED_SEARCHES } from '../../../../test/kit/third-planted-searches.ts';
import { answer, lines, makeIndex } from '../index/index-for-test.ts';
import { search } from './search.ts';

const now = Date.parse('2026-11-16T12:00:00Z');

test.each([
  ['a hundred', PLANTED_SEARCHES],
  ['another hundred', MORE_PLANTED_SEARCHES],
  ['forty more', THIRD_PLANTED_SEARCHES],
])('finds %s planted texts and little else', async (_, searches) => {
  const index = makeIndex();
  const said = searches.flatMap(({ finds, misses }, place) => [
    ...finds.map((text, n) => answer({ id: `f${place}-${n}`, uuid: `find-${place}-${n}`, text })),
    ...misses.map((text, n) => answer({ id: `m${place}-${n}`, uuid: `miss-${place}-${n}`, text })),
  ]);
  index.write('p/s1.jsonl', lines(...said));
  await index.scan();
  const context = index.reader();
  const wrong: string[] = [];
  let wanted = 0;
  let found = 0;
  let right = 0;
  for (const [place, { query, finds }] of searches.entries()) {
    const { hits } = await search(context, { q: query, offset: 0, limit: 100, live: [], now, timeZone: 'UTC' });
    const ids = hits.map(({ messageId }) => messageId);
    const rightIds = ids.filter((id) => id.startsWith(`find-${place}-`));
    wanted += finds.length;
    found += ids.length;
    right += rightIds.length;
    const unmarked = hits.filter(({ snippet }) => !snippet.some(({ match }) => match)).length;
    if (rightIds.length !== finds.length || ids.length !== finds.length || unmarked > 0)
      wrong.push(
        `${query}: ${rightIds.length} of ${finds.length}, ${ids.length} found, ${unmarked} without a mark: ${ids}`,
      );
  }
  expect(searches.length).toBeGreaterThanOrEqual(40);
  expect(right / wanted, wrong.join('\n')).toBeGreaterThanOrEqual(0.98);
  expect(right / found, wrong.join('\n')).toBeGreaterThanOrEqual(0.95);
  expect(wrong).toEqual([]);
});
