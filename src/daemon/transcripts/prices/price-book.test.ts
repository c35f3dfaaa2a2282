import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { ModelPrice } from '../../../contract/prices.ts';
import { PriceBook } from './price-book.ts';
import { PRICE_LIST } from './price-list.ts';

const rates = { input: 1, output: 2, cacheRead: 3, cacheWrite5m: 4, cacheWrite1h: 5, contextWindow: 1000 };
const own = ModelPrice.parse({ model: 'my-model', ...rates });

let path: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-prices-'));
  path = join(folder, 'prices.json');
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

it('keeps what the operator set, for the next start', () => {
  const book = new PriceBook(path);
  const told: string[] = [];
  book.onChange(({ fingerprint }) => told.push(fingerprint));
  expect(book.setOverrides([own])).toMatchObject({ overrides: [own], problem: null });
  expect(told).toEqual([book.prices.fingerprint]);
  expect(new PriceBook(path).list()).toEqual(book.list());
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it.each([
  ['{', /JSON/],
  ['{"overrides": [{"model": "x", "input": -1}]}', /overrides\.0\.input: .*; overrides\.0\.output: /],
  ['{"override": []}', /overrides/],
  [JSON.stringify({ overrides: [own, { ...own, model: 'my-model[1m]' }] }), /my-model\[1m\] has two prices/],
])('keeps the built-in prices if the file contains %s, and says why', (text, why) => {
  writeFileSync(path, text);
  const book = new PriceBook(path);
  expect(book.list()).toMatchObject({ models: PRICE_LIST, overrides: [], problem: expect.stringMatching(why) });
  expect(book.list().problem).toContain(path);
  expect(() => book.setOverrides([own])).toThrow(/Fix it or delete it/);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
