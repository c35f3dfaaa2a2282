import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { Tokens } from '../../contract/usage.ts';

export interface RequestUsage {
  /** One answer of the model comes in several messages, each with the usage so far. */
  id: string;
  model: string;
  tokens: Tokens;
}

export type CostOf = (model: string, tokens: Tokens) => number | null;

/** Counts each request once, though several messages tell of it. */
export class Costs {
  readonly #costOf: CostOf;
  readonly #counted = new Map<string, { dollars: number | null; tokens: number }>();

  constructor(costOf: CostOf) {
    this.#costOf = costOf;
  }

  /** What is new since the last message about the same request. */
  take(usage: RequestUsage | undefined): { dollars: number | null; tokens: number } | undefined {
    if (!usage) return undefined;
    const before = this.#counted.get(usage.id) ?? { dollars: 0, tokens: 0 };
    const dollars = this.#costOf(usage.model, usage.tokens);
    const tokens = total(usage.tokens);
    if (tokens === before.tokens) return undefined;
    this.#counted.set(usage.id, { dollars, tokens });
    if (this.#counted.size > 1000) this.#counted.delete(this.#counted.keys().next().value!);
    return { dollars: dollars === null ? null : dollars - (before.dollars ?? 0), tokens: tokens - before.tokens };
  }
}

export function usageOf({ message }: Extract<SDKMessage, { type: 'assistant' }>): RequestUsage | undefined {
  const { id, model, usage } = message;
  if (!usage || model === '<synthetic>') return undefined;
  const cacheCreation1hTokens = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return {
    id,
    model,
    tokens: {
      inputTokens: usage.input_tokens ?? 0,
      outputTokens: usage.output_tokens ?? 0,
      cacheReadTokens: usage.cache_read_input_tokens ?? 0,
      cacheCreationTokens: usage.cache_creation_input_tokens ?? 0,
      cacheCreation1hTokens,
    },
  };
}

const total = ({ inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }: Tokens): number =>
  inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens;
