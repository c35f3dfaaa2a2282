import { closeSync, openSync, readSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { clientBinary } from '../../../test/kit/client-binary.ts';
import { startTestDaemon } from '../../../test/kit/test-daemon.ts';
import { normalizeModel } from '../transcripts/prices/model-name.ts';
import { PRICE_LIST } from '../transcripts/prices/price-list.ts';
import { Prices } from '../transcripts/prices/prices.ts';

interface ClientRates {
  input: number;
  output: number;
  cache_read: number;
  cache_write_5m: number;
  cache_write_1h: number;
}

interface ClientCatalog {
  pricing_tiers: Record<string, ClientRates & { long_prompt?: ClientRates & { above_prompt_tokens: number } }>;
  models: {
    id: string;
    pricing: string;
    provider_ids: Record<string, string | null>;
    context?: { window: number; maximum_window?: number };
  }[];
}

it("agrees with the installed client's own list, model by model and under each of their names", () => {
  const { models, pricing_tiers } = readClientCatalog();
  expect(models.length).toBeGreaterThan(20);
  const prices = new Prices();
  for (const { id, pricing, provider_ids, context } of models) {
    const tier = pricing_tiers[pricing]!;
    const ours = PRICE_LIST.find(({ model }) => model === normalizeModel(id));
    expect(ours, `${id} has no price`).toMatchObject(toRates(tier));
    if (tier.long_prompt)
      expect(ours?.longContext, id).toMatchObject({
        aboveTokens: tier.long_prompt.above_prompt_tokens,
        ...toRates(tier.long_prompt),
      });
    else expect(ours?.longContext, `${id} costs no more for a long prompt`).toBeUndefined();
    if (context) {
      expect(prices.contextLimitOf(id), id).toBe(context.window);
      expect(prices.contextLimitOf(`${id}[1m]`), id).toBe(context.maximum_window ?? context.window);
    }
    for (const name of Object.values(provider_ids))
      if (name) expect(normalizeModel(name), name).toBe(normalizeModel(id));
  }
});

it("lists the prices, and accepts an operator's own", async () => {
  const daemon = await startTestDaemon();
  onTestFinished(daemon.dispose);
  const list = (await daemon.call('GET', '/api/prices')).json;
  expect(list).toMatchObject({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), overrides: [], problem: null });
  const [first] = list.models;
  const mine = { ...first, input: 123 };
  const changed = await daemon.call('PUT', '/api/prices', { body: { overrides: [mine] } });
  expect(changed.json).toMatchObject({ overrides: [mine] });
  expect(changed.json.models).toContainEqual(mine);
  expect(changed.json.models).toHaveLength(list.models.length);
  const bad = await daemon.call('PUT', '/api/prices', { body: { overrides: [{ ...mine, input: 'free' }] } });
  expect(bad.status).toBe(400);
  const twice = await daemon.call('PUT', '/api/prices', { body: { overrides: [mine, mine] } });
  expect(twice.json.error).toMatchObject({ code: 'prices.twice', message: expect.stringContaining(first.model) });
  const { entries } = (await daemon.call('GET', '/api/audit?action=prices')).json;
  expect(entries).toMatchObject([{ action: 'prices.changed', detail: `custom prices for ${first.model}` }]);
});

function toRates({ input, output, cache_read, cache_write_5m, cache_write_1h }: ClientRates) {
  return {
    input,
    output,
    cacheRead: cache_read,
    cacheWrite5m: expect.closeTo(cache_write_5m, 9),
    cacheWrite1h: expect.closeTo(cache_write_1h, 9),
  };
}

/** The client is one file that contains its JavaScript, with the list as an object literal. */
function readClientCatalog(): ClientCatalog {
  const file = openSync(clientBinary(), 'r');
  onTestFinished(() => closeSync(file));
  const step = 16 * 1024 * 1024;
  const enough = 256 * 1024;
  const bytes = Buffer.alloc(step + enough);
  for (let at = 0; ; at += step) {
    const length = readSync(file, bytes, 0, bytes.length, at);
    if (length === 0) throw new Error('the client has no list of models where there was one: look again');
    const found = bytes.subarray(0, length).indexOf('pricing_tiers:{');
    if (found === -1 || found >= step) continue;
    return runInNewContext(`(${wholeObject(`{${bytes.toString('latin1', found, found + enough)}`)})`);
  }
}

function wholeObject(text: string): string {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quote) {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if ('"\'`'.includes(char)) quote = char;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return text.slice(0, at + 1);
  }
  throw new Error('the list of models does not end');
}
