import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { MAIN_ACTOR } from '../../contract/main-actor.ts';
import type { Tokens } from '../../contract/usage.ts';

export interface RequestUsage {
  /** One model reply arrives in several messages, each with the usage so far. */
  id: string;
  model: string;
  tokens: Tokens;
}

export type CostOf = (model: string, tokens: Tokens) => number | null;

type AssistantMessage = Extract<SDKMessage, { type: 'assistant' }>['message'];
type StreamMessage = Extract<SDKMessage, { type: 'stream_event' }>;

/** Requests that may still get more messages. */
const REMEMBERED = 1000;

/** Counts each request once, although several messages report it. */
export class Costs {
  readonly #costOf: CostOf;
  readonly #counted = new Map<string, { dollars: number | null; tokens: number }>();

  constructor(costOf: CostOf) {
    this.#costOf = costOf;
  }

  /** The usage added since the last message about the same request. */
  take(usage: RequestUsage | undefined): { id: string; dollars: number | null; tokens: number } | undefined {
    if (!usage) return undefined;
    const { id } = usage;
    const before = this.#counted.get(id) ?? { dollars: 0, tokens: 0 };
    const dollars = this.#costOf(usage.model, usage.tokens);
    const tokens = total(usage.tokens);
    if (tokens <= before.tokens) return undefined;
    this.#counted.set(id, { dollars, tokens });
    if (this.#counted.size > REMEMBERED) this.#counted.delete(this.#counted.keys().next().value!);
    return { id, dollars: dollars === null ? null : dollars - (before.dollars ?? 0), tokens: tokens - before.tokens };
  }
}

/** The final usage is only in the stream, not in the message itself. */
export class UsageMeter {
  readonly #open = new Map<string, Pick<AssistantMessage, 'id' | 'model' | 'usage'>>();

  take({ event, parent_tool_use_id: parent }: StreamMessage): RequestUsage | undefined {
    const speaker = parent ?? MAIN_ACTOR;
    if (event.type === 'message_start') {
      const { id, model, usage } = event.message;
      this.#open.set(speaker, { id, model, usage });
      return undefined;
    }
    const open = this.#open.get(speaker);
    if (event.type !== 'message_delta' || !open) return undefined;
    this.#open.delete(speaker);
    const given = Object.entries(event.usage).filter(([, value]) => value !== null);
    return toUsage({ ...open, usage: { ...open.usage, ...Object.fromEntries(given) } });
  }
}

export const usageOf = ({ message }: { message: AssistantMessage }): RequestUsage | undefined => toUsage(message);

function toUsage({ id, model, usage }: Pick<AssistantMessage, 'id' | 'model' | 'usage'>): RequestUsage | undefined {
  if (!usage || model === '<synthetic>') return undefined;
  return {
    id,
    model,
    tokens: {
      inputTokens: usage.input_tokens ?? 0,
      outputTokens: usage.output_tokens ?? 0,
      cacheReadTokens: usage.cache_read_input_tokens ?? 0,
      cacheCreationTokens: usage.cache_creation_input_tokens ?? 0,
      cacheCreation1hTokens: usage.cache_creation?.ephemeral_1h_input_tokens ?? 0,
    },
  };
}

const total = ({ inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }: Tokens): number =>
  inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens;
