import { expect, it } from 'vitest';
import { maskJson } from './mask-in-turns.ts';
import { maskDeep } from './mask-secrets.ts';

it.each([
  { sessions: [{ id: 'a', prompt: 'DB_PASSWORD=hunter2' }, { id: 'b' }], total: 2, none: null },
  { tokens: ['abcd1234efgh5678'], apiKey: 'abcd1234efgh5678', list: [] },
  { env: [{ name: 'API_TOKEN', value: 'abcd1234' }] },
  ['PASSWORD=hunter22'],
  'PASSWORD=hunter22',
  3,
  null,
  { 'DB_PASSWORD=hunter2': 1 },
])('masks %j the same as in one pass', async (value) => {
  expect(JSON.parse(await maskJson(JSON.stringify(value)))).toEqual(maskDeep(value));
});

it('lets others run while it masks a long list', async () => {
  const entries = Array.from({ length: 20_000 }, (_, at) => ({
    id: `s${at}`,
    prompt: `Fix the login token of user ${at}`,
  }));
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await maskJson(JSON.stringify({ entries }));
  clearInterval(count);
  expect(turns).toBeGreaterThan(3);
});
