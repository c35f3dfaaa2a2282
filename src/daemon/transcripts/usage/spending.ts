import type { Cost, Tokens } from '../../../contract/usage.ts';
import type { Prices } from '../prices/prices.ts';
import type { UsageSlot } from './fast/usage-scanner.ts';
import type { UsageRecord } from './usage.ts';

/** Days of every time zone start on one, and a session's spending isn't shown any finer. */
export const SLOT_MS = 5 * 60_000;

/** What one model used in five minutes, in one transcript, on one branch. */
interface Spending {
  at: number;
  model: string;
  branch: string | null;
  messages: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  webSearches: number;
  /** null: no price is known for the model. */
  cost: { total: number; input: number; output: number; cacheRead: number; cacheWrite: number } | null;
}

/** As written and sent between threads: row after row, much less work than objects. */
export type SpendingCells = (string | number | null)[];

export const SPENDING_COLUMNS = [
  'at',
  'model',
  'branch',
  'messages',
  'input',
  'output',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'total_usd',
  'input_usd',
  'output_usd',
  'cache_read_usd',
  'cache_write_usd',
  'web_searches',
];

export function spendingOf(records: Iterable<UsageRecord>, prices: Prices): SpendingCells {
  const slots = new Map<string, Spending>();
  for (const record of records) {
    const at = Math.floor(record.at / SLOT_MS) * SLOT_MS;
    const slot = openSlot(slots, at, record);
    const { isFast: fast, isBatch: batch, isUsOnly: usOnly, webSearches } = record;
    const cost = prices.costOf(record.model, { ...tokensIn(record), at: record.at, fast, batch, usOnly, webSearches });
    slot.messages++;
    add(slot, record, cost);
  }
  return cellsOf(slots.values());
}

/** Undefined: the prices depend on more than the slots contain. */
export function spendingOfSlots(found: readonly UsageSlot[], prices: Prices): SpendingCells | undefined {
  const slots = new Map<string, Spending>();
  for (const one of found) {
    // field by field: there are thousands, and spreading objects would take longer than everything else
    const cost = prices.costOfAlike(one.model, {
      inputTokens: one.input,
      outputTokens: one.output,
      cacheReadTokens: one.cacheRead,
      cacheCreationTokens: one.cacheWrite5m + one.cacheWrite1h,
      cacheCreation1hTokens: one.cacheWrite1h,
      at: one.at,
      until: one.at + SLOT_MS,
      fast: one.isFast,
      batch: one.isBatch,
      usOnly: one.isUsOnly,
      inputAbove: one.inputAbove,
      webSearches: one.webSearches,
    });
    if (cost === undefined) return undefined;
    const slot = openSlot(slots, one.at, one);
    slot.messages += one.messages;
    add(slot, one, cost);
  }
  return cellsOf(slots.values());
}

function openSlot(slots: Map<string, Spending>, at: number, of: { model: string; branch: string | null }): Spending {
  const name = `${at} ${of.model} ${of.branch}`;
  const known = slots.get(name);
  if (known) return known;
  const slot = emptySpending(at, of);
  slots.set(name, slot);
  return slot;
}

function cellsOf(slots: Iterable<Spending>): SpendingCells {
  const cells: SpendingCells = [];
  for (const slot of slots) {
    const { at, model, branch, messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h, webSearches, cost } =
      slot;
    cells.push(at, model, branch, messages, input, output, cacheRead, cacheWrite5m, cacheWrite1h);
    if (cost) cells.push(cost.total, cost.input, cost.output, cost.cacheRead, cost.cacheWrite);
    else cells.push(null, null, null, null, null);
    cells.push(webSearches);
  }
  return cells;
}

function emptySpending(at: number, { model, branch }: { model: string; branch: string | null }): Spending {
  return {
    at,
    model,
    branch,
    messages: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    webSearches: 0,
    cost: { total: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
}

interface Used {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  webSearches: number;
}

function tokensIn({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: Used): Tokens {
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheCreationTokens: cacheWrite5m + cacheWrite1h,
    cacheCreation1hTokens: cacheWrite1h,
  };
}

function add(sum: Spending, used: Used, cost: Cost | null): void {
  sum.input += used.input;
  sum.output += used.output;
  sum.cacheRead += used.cacheRead;
  sum.cacheWrite5m += used.cacheWrite5m;
  sum.cacheWrite1h += used.cacheWrite1h;
  sum.webSearches += used.webSearches;
  // a model has a price or it doesn't, so a whole slot does
  if (!cost || !sum.cost) {
    sum.cost = null;
    return;
  }
  sum.cost.total += cost.totalUsd;
  sum.cost.input += cost.inputCostUsd;
  sum.cost.output += cost.outputCostUsd;
  sum.cost.cacheRead += cost.cacheReadCostUsd;
  sum.cost.cacheWrite += cost.cacheCreationCostUsd;
}
