import type { LoopEvent } from './events.ts';
import { type RequestUsage, startUsage } from './loop/usage.ts';

export interface ToolTimes {
  calls: number;
  failures: number;
  totalMs: number;
  longestMs: number;
}

export interface Stats {
  requests: number;
  usage: RequestUsage;
  costUsd: number;
  /** Models without a known price. The cost excludes them. */
  unpricedModels: Set<string>;
  contextTokens: number;
  contextLimit: number;
  /** How many calls were allowed, denied, sent to the background or killed, and by whom: `allow by operator`. */
  decisions: Map<string, number>;
  waitedForOperatorMs: number;
  tools: Map<string, ToolTimes>;
}

/** Counters for `/cost` and the pages. A fold over events, so a resumed session can rebuild them. */
export function startStats(): Stats {
  return {
    requests: 0,
    usage: startUsage(),
    costUsd: 0,
    unpricedModels: new Set(),
    contextTokens: 0,
    contextLimit: 0,
    decisions: new Map(),
    waitedForOperatorMs: 0,
    tools: new Map(),
  };
}

export function countEvent(stats: Stats, event: LoopEvent): void {
  switch (event.type) {
    case 'usage': {
      const { tokens, cost, model, actor } = event;
      stats.requests += 1;
      stats.usage.input += tokens.inputTokens;
      stats.usage.output += tokens.outputTokens;
      stats.usage.cacheRead += tokens.cacheReadTokens;
      stats.usage.cacheWrite += tokens.cacheCreationTokens;
      stats.usage.cacheWrite1h += tokens.cacheCreation1hTokens;
      if (cost) stats.costUsd += cost.totalUsd;
      else stats.unpricedModels.add(model);
      if (actor.id !== 'main') return;
      stats.contextTokens = event.contextTokens ?? stats.contextTokens;
      stats.contextLimit = event.contextLimit ?? stats.contextLimit;
      return;
    }
    case 'tool.decided': {
      const key = `${event.decision} by ${event.by}`;
      stats.decisions.set(key, (stats.decisions.get(key) ?? 0) + 1);
      if (event.by === 'operator') stats.waitedForOperatorMs += event.waitedMs;
      return;
    }
    case 'tool.ended':
    case 'tool.failed': {
      const { call, durationMs = 0 } = event;
      const times = stats.tools.get(call.name) ?? { calls: 0, failures: 0, totalMs: 0, longestMs: 0 };
      times.calls += 1;
      times.failures += event.type === 'tool.failed' ? 1 : 0;
      times.totalMs += durationMs;
      times.longestMs = Math.max(times.longestMs, durationMs);
      stats.tools.set(call.name, times);
      return;
    }
  }
}
