import type { Inherited, ModelUsage, Uncounted } from '../../../contract/usage.ts';
import type { Reading } from '../../sessions/transcript-reading.ts';
import type { Lineage } from '../index/lineage.ts';
import type { Facts } from '../lines/facts.ts';
import type { Prices } from '../prices/prices.ts';
import type { CostState } from '../usage/cost-state.ts';
import { inheritedFrom } from '../usage/inherited.ts';
import { otherRequests, type Spent } from '../usage/other-requests.ts';
import { costOf, mergeUsage, SessionUsage, totalUsage } from '../usage/session-usage.ts';
import { addTotals, noTotals, tokensOfTotals } from '../usage/totals.ts';
import type { UsageRecord } from '../usage/usage.ts';

/** A transcript is created at most this long after its first message, however busy the machine is. */
const WRITTEN_WITHIN_MS = 5_000;

type Spending = Pick<Reading, 'tokens' | 'cost' | 'usageByModel' | 'otherUsage' | 'inherited' | 'uncounted'>;

/** What one followed session used, from its transcripts. */
export class LiveSpending {
  readonly #usage = new SessionUsage();
  readonly #states = new Map<string, CostState[]>();
  #mayShare = false;
  #lineage: Lineage | undefined;
  /** The client had written a sum when the lineage was requested. */
  #hasBase = false;

  add(records: UsageRecord[], file: { path: string; agentId: string | null; bornMs: number }): void {
    for (const record of records) {
      this.#usage.add(record, file.path, file.agentId);
      // older than its file: it was copied there
      if (record.isForked || record.at < file.bornMs - WRITTEN_WITHIN_MS) this.#mayShare = true;
    }
  }

  addState(state: CostState, path: string): void {
    const known = this.#states.get(path);
    if (known) known.push(state);
    else this.#states.set(path, [state]);
  }

  /** For a file that is being reread, or gone. */
  drop(path: string): void {
    this.#usage.drop(path);
    this.#states.delete(path);
  }

  /** Its usage can't be told apart from another session's before the index has been asked. */
  get needsLineage(): boolean {
    if (!this.#lineage) return this.#mayShare || this.#states.size > 0;
    return this.#states.size > 0 && !this.#hasBase;
  }

  /** Asked again from time to time: the other session's transcript may be deleted. */
  get hasRelatives(): boolean {
    return this.#lineage !== undefined && (this.#lineage.inherited.length > 0 || this.#lineage.base !== null);
  }

  setLineage(lineage: Lineage): void {
    this.#lineage = lineage;
    this.#hasBase = this.#states.size > 0;
    this.#usage.setInherited(lineage.inherited);
  }

  /** undefined: not known yet. */
  tell(sessionId: string, { facts, prices }: { facts: Facts[]; prices: Prices }): Spending | undefined {
    if (this.#mayShare && !this.#lineage) return undefined;
    const usageByModel = mergeUsage(this.#usage.byAgent(prices).values());
    const otherUsage = this.#otherUsage(sessionId, prices);
    const all = [...usageByModel, ...otherUsage];
    return {
      ...(all.length > 0 ? totalUsage(all) : { tokens: null, cost: null }),
      usageByModel,
      otherUsage,
      inherited: this.#inherited(prices),
      uncounted: this.#uncounted(facts),
    };
  }

  byAgent(prices: Prices): Map<string | null, ModelUsage[]> {
    return this.#usage.byAgent(prices);
  }

  #otherUsage(sessionId: string, prices: Prices): ModelUsage[] {
    const states = [...this.#states.values()]
      .flat()
      .filter((state) => state.sessionId === '' || state.sessionId === sessionId)
      .sort((a, b) => a.startTime - b.startTime || a.duration - b.duration);
    if (states.length === 0 || !this.#hasBase) return [];
    const own = [...this.#usage.own()];
    const others = otherRequests({
      states,
      base: this.#lineage?.base ?? undefined,
      spent: (from, before) => spentIn(own, { from, before }, prices),
      nextMessage: (after) =>
        own.reduce(
          (least, { agentId, record }) => (agentId === null && record.at > after ? Math.min(least, record.at) : least),
          Number.POSITIVE_INFINITY,
        ),
    });
    return mergeUsage(
      others.map(({ model, clientUsd, at, ...totals }) => {
        const tokens = tokensOfTotals(totals);
        const cost = prices.costOfSum(model, { ...tokens, webSearches: totals.webSearches, at }, clientUsd);
        return [{ model, tokens, cost }];
      }),
    );
  }

  #inherited(prices: Prices): Inherited | null {
    if (this.#lineage?.base) return inheritedFrom(this.#lineage.base, prices);
    const messages = this.#usage.inherited(prices);
    return messages && { ...messages, from: this.#lineage?.from ?? null };
  }

  #uncounted(facts: Facts[]): Uncounted | null {
    const told = Math.max(0, ...[...this.#states.values()].flatMap((states) => states.at(-1)?.at ?? []));
    const since = facts.flatMap(({ unwritten }) => unwritten.filter(({ at }) => at > told));
    if (since.length === 0) return null;
    const count = (wanted: string) => since.filter(({ kind }) => kind === wanted).length;
    return { compactions: count('compaction'), webSearches: count('web_search') };
  }
}

function spentIn(
  own: { record: UsageRecord }[],
  { from, before }: { from: number; before: number },
  prices: Prices,
): Spent {
  const models: Spent['models'] = new Map();
  for (const { record } of own) {
    if (record.at < from || record.at >= before) continue;
    const sum = models.get(record.model) ?? { ...noTotals(), usd: 0 };
    models.set(record.model, sum);
    addTotals(sum, record);
    sum.usd += costOf(record, prices)?.totalUsd ?? 0;
  }
  return { models };
}
