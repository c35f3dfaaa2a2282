import { normalizeModel } from '../prices/model-name.ts';
import type { CostState, StateTotals } from './cost-state.ts';
import { COUNTS, isNothing, noTotals, type Totals } from './totals.ts';

/** What a model used besides the messages, up to a time: compaction, web search and whatever else the client requests on its own. */
export interface OtherUsage extends Totals {
  at: number;
  model: string;
  /** What remains of the client's own cost for this model; too much if it priced the messages differently. */
  clientUsd: number;
}

export interface Spent {
  /** By the model's name in the messages. */
  models: Map<string, Totals & { usd: number }>;
}

export interface OtherRequestsOptions {
  /** For one session, in the order the client wrote them. */
  states: readonly CostState[];
  /** What the first of them continued from: the parent's, in a forked session. */
  base: CostState | undefined;
  /** What the session's own messages used in a period. */
  spent: (from: number, before: number) => Spent;
  /** When the session's first message after a time was written. Infinity: there is none. */
  nextMessage: (after: number) => number;
}

/**
 * What the client counted that no message accounts for, each time it wrote its sum. Never negative: a killed client forgets what it had
 * counted, and its next sum is lower than the messages.
 */
export function otherRequests({ states, base, spent, nextMessage }: OtherRequestsOptions): OtherUsage[] {
  return groupByLedger(states).flatMap((ledger, index) => {
    const from = ledger[0]!.startTime;
    const before = index === 0 && base?.startTime === from ? base : undefined;
    const left = ledger.map((state) => {
      const at = state.at ?? state.startTime + state.duration;
      return { at, models: leftOver(state, before, spent(from, nextMessage(at))) };
    });
    return increases(left);
  });
}

/** Runs of sums that continue from each other. */
function groupByLedger(states: readonly CostState[]): CostState[][] {
  const groups: CostState[][] = [];
  for (const state of states) {
    const last = groups.at(-1);
    const known = last?.at(-1);
    if (!last || known?.startTime !== state.startTime) groups.push([state]);
    // the client writes it twice when it exits
    else if (JSON.stringify(known.models) === JSON.stringify(state.models)) last[last.length - 1] = state;
    else last.push(state);
  }
  return groups;
}

type LeftOver = Map<string, Totals & { model: string; clientUsd: number }>;

function leftOver({ models }: CostState, base: CostState | undefined, { models: spent }: Spent): LeftOver {
  const left: LeftOver = new Map();
  for (const [model, used] of Object.entries(models)) {
    const name = normalizeModel(model);
    const known = left.get(name);
    left.set(name, known ? plus(known, used) : { ...used, model, clientUsd: used.usd });
  }
  for (const [model, used] of Object.entries(base?.models ?? {})) take(left, model, used);
  for (const [model, used] of spent) {
    const one = take(left, model, used);
    // spelled as in the messages, so they appear together
    if (one) one.model = model;
  }
  return left;
}

function plus(known: Totals & { model: string; clientUsd: number }, more: StateTotals) {
  const sum = { ...known, clientUsd: known.clientUsd + more.usd };
  for (const count of COUNTS) sum[count] += more[count];
  return sum;
}

function take(left: LeftOver, model: string, used: Totals & { usd: number }) {
  const one = left.get(normalizeModel(model));
  if (!one) return undefined;
  for (const count of COUNTS) one[count] = Math.max(0, one[count] - used[count]);
  one.clientUsd = Math.max(0, one.clientUsd - used.usd);
  return one;
}

/** From one sum to the next; usage that a later sum no longer has didn't happen. */
function increases(left: { at: number; models: LeftOver }[]): OtherUsage[] {
  const found: OtherUsage[] = [];
  let later: LeftOver | undefined;
  for (const { models } of left.toReversed()) {
    for (const [name, one] of models) {
      const most = later ? (later.get(name) ?? { ...noTotals(), clientUsd: 0 }) : one;
      for (const count of COUNTS) one[count] = Math.min(one[count], most[count]);
      one.clientUsd = Math.min(one.clientUsd, most.clientUsd);
    }
    later = models;
  }
  let before: LeftOver = new Map();
  for (const { at, models } of left) {
    for (const [name, one] of models) {
      const known = before.get(name) ?? { ...noTotals(), clientUsd: 0 };
      const more = { at, model: one.model, clientUsd: one.clientUsd - known.clientUsd, ...noTotals() };
      for (const count of COUNTS) more[count] = one[count] - known[count];
      if (!isNothing(more)) found.push(more);
    }
    before = models;
  }
  return found;
}
