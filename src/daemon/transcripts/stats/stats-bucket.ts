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
    this.#usage.set(name, known ? plus(known, row) : row);
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

function plus(a: UsageSums, b: UsageSums): UsageSums {
  return {
    model: a.model,
    kind: a.kind,
    messages: a.messages + b.messages,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    write5m: a.write5m + b.write5m,
    write1h: a.write1h + b.write1h,
    totalUsd: known(a.totalUsd, b.totalUsd),
    inputUsd: known(a.inputUsd, b.inputUsd),
    outputUsd: known(a.outputUsd, b.outputUsd),
    cacheReadUsd: known(a.cacheReadUsd, b.cacheReadUsd),
    cacheWriteUsd: known(a.cacheWriteUsd, b.cacheWriteUsd),
    unpriced: a.unpriced + b.unpriced,
  };
}

function known(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
