import type { StatsRow } from '../../../contract/stats.ts';
import { addTokens, costOfSums, tokensOf, type UsageSums } from '../usage/usage-sums.ts';
import { summarizeWaits } from './approval-waits.ts';

/** One row of the statistics while it is being summed. */
export class StatsBucket {
  readonly #usage = new Map<string, UsageSums>();
  readonly #sessions = new Set<string>();
  readonly #waits: number[] = [];
  #prompts = 0;
  #toolCalls = 0;
  #approvals = 0;

  addUsage(row: UsageSums & { sessionId: string }): void {
    this.#sessions.add(row.sessionId);
    const name = `${row.kind} ${row.model}`;
    const known = this.#usage.get(name);
    if (known) addTo(known, row);
    else this.#usage.set(name, { ...row });
  }

  addPrompts(sessionId: string, count: number): void {
    this.#sessions.add(sessionId);
    this.#prompts += count;
  }

  addCalls(sessionId: string, count: number): void {
    this.#sessions.add(sessionId);
    this.#toolCalls += count;
  }

  addApproval(waitedMs: number | null): void {
    this.#approvals++;
    if (waitedMs !== null) this.#waits.push(waitedMs);
  }

  toRow(key: string, label: string): StatsRow {
    const sums = [...this.#usage.values()];
    const tokens = addTokens(sums.map(tokensOf));
    const others = sums.filter(({ kind }) => kind === 1);
    const sent = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheCreationTokens;
    return {
      key,
      label,
      sessions: this.#sessions.size,
      prompts: this.#prompts,
      messages: sums.reduce((sum, { messages }) => sum + messages, 0),
      tokens,
      cost: costOfSums(sums),
      other: others.length > 0 ? { tokens: addTokens(others.map(tokensOf)), cost: costOfSums(others) } : null,
      cacheHitRate: sent > 0 ? tokens.cacheReadTokens / sent : null,
      toolCalls: this.#toolCalls,
      approvals: this.#approvals,
      approvalWaitMs: summarizeWaits(this.#waits),
    };
  }
}

function addTo(sum: UsageSums, row: UsageSums): void {
  sum.messages += row.messages;
  sum.input += row.input;
  sum.output += row.output;
  sum.cacheRead += row.cacheRead;
  sum.write5m += row.write5m;
  sum.write1h += row.write1h;
  sum.totalUsd = known(sum.totalUsd, row.totalUsd);
  sum.inputUsd = known(sum.inputUsd, row.inputUsd);
  sum.outputUsd = known(sum.outputUsd, row.outputUsd);
  sum.cacheReadUsd = known(sum.cacheReadUsd, row.cacheReadUsd);
  sum.cacheWriteUsd = known(sum.cacheWriteUsd, row.cacheWriteUsd);
  sum.unpriced += row.unpriced;
}

function known(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
