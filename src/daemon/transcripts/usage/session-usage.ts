import type { Cost, ModelUsage, Tokens } from '../../../contract/usage.ts';
import { addCosts, NO_COST, type Prices } from '../prices/prices.ts';
import { isBetterSighting, type UsageRecord } from './usage.ts';

interface Entry {
  file: string;
  agentId: string | null;
  record: UsageRecord;
}

const NO_TOKENS: Tokens = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  cacheCreation1hTokens: 0,
};

/** What one session's API messages used, each counted once, however many lines and files contain it. */
export class SessionUsage {
  readonly #entries = new Map<string, Entry>();
  #inherited: ReadonlySet<string> = new Set();

  add(record: UsageRecord, file: string, agentId: string | null): void {
    const known = this.#entries.get(record.key);
    if (!known) {
      this.#entries.set(record.key, { file, agentId, record });
      return;
    }
    // a subagent's message is its own, even if its parent's transcript had it first
    if (known.record.isCopy && !record.isCopy) Object.assign(known, { file, agentId });
    if (isBetterSighting(record, known.record)) known.record = record;
  }

  /** For a file that is being reread, or gone. */
  drop(file: string): void {
    for (const [key, entry] of this.#entries) if (entry.file === file) this.#entries.delete(key);
  }

  /** Messages counted in other sessions. */
  setInherited(keys: Iterable<string>): void {
    this.#inherited = new Set(keys);
  }

  /** Messages counted in this session. */
  *own(): Generator<{ agentId: string | null; record: UsageRecord }> {
    for (const [key, entry] of this.#entries) if (!this.#inherited.has(key)) yield entry;
  }

  /** null: it counts all of them itself. */
  inherited(prices: Prices): { tokens: Tokens; cost: Cost | null } | null {
    const models = new Map<string, ModelUsage>();
    for (const [key, { record }] of this.#entries) if (this.#inherited.has(key)) addRecord(models, record, prices);
    return models.size > 0 ? totalUsage([...models.values()]) : null;
  }

  /** By who used it: the main agent is null. */
  byAgent(prices: Prices): Map<string | null, ModelUsage[]> {
    const agents = new Map<string | null, Map<string, ModelUsage>>();
    for (const { agentId, record } of this.own()) {
      const models = agents.get(agentId) ?? new Map<string, ModelUsage>();
      agents.set(agentId, models);
      addRecord(models, record, prices);
    }
    return new Map([...agents].map(([agentId, models]) => [agentId, [...models.values()]]));
  }
}

function addRecord(models: Map<string, ModelUsage>, record: UsageRecord, prices: Prices): void {
  const sum = models.get(record.model);
  const one = { tokens: tokensOf(record), cost: costOf(record, prices) };
  if (sum) add(sum, one);
  else models.set(record.model, { model: record.model, ...one });
}

/** Merges lists, most expensive model first. */
export function mergeUsage(lists: Iterable<ModelUsage[]>): ModelUsage[] {
  const models = new Map<string, ModelUsage>();
  for (const one of [...lists].flat()) {
    const sum = models.get(one.model);
    if (sum) add(sum, one);
    else models.set(one.model, { ...one, tokens: { ...one.tokens }, cost: one.cost && { ...one.cost } });
  }
  return [...models.values()].sort(
    (a, b) => (b.cost?.totalUsd ?? -1) - (a.cost?.totalUsd ?? -1) || a.model.localeCompare(b.model),
  );
}

export function totalUsage(usage: ModelUsage[]): { tokens: Tokens; cost: Cost | null } {
  const tokens = { ...NO_TOKENS };
  for (const one of usage) addTokens(tokens, one.tokens);
  return { tokens, cost: addCosts(usage) };
}

/** A model has a price for everything it did, or for nothing. */
function add(sum: { tokens: Tokens; cost: Cost | null }, more: { tokens: Tokens; cost: Cost | null }): void {
  addTokens(sum.tokens, more.tokens);
  if (!sum.cost || !more.cost) return;
  for (const key of COST_PARTS) sum.cost[key] += more.cost[key];
}

const COST_PARTS = (Object.keys(NO_COST) as (keyof Cost)[]).filter((key) => key !== 'unpricedModels');

function addTokens(sum: Tokens, more: Tokens): void {
  for (const key of Object.keys(NO_TOKENS) as (keyof Tokens)[]) sum[key] += more[key];
}

export function costOf(record: UsageRecord, prices: Prices): Cost | null {
  const { at, isFast: fast, isBatch: batch, isUsOnly: usOnly, webSearches } = record;
  return prices.costOf(record.model, { ...tokensOf(record), at, fast, batch, usOnly, webSearches });
}

function tokensOf(record: UsageRecord): Tokens {
  return {
    inputTokens: record.input,
    outputTokens: record.output,
    cacheReadTokens: record.cacheRead,
    cacheCreationTokens: record.cacheWrite5m + record.cacheWrite1h,
    cacheCreation1hTokens: record.cacheWrite1h,
  };
}
