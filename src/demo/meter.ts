/** What one model response used, in the Messages API's terms. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  service_tier: 'standard';
}

/** System prompt, tools and project notes, before anything is said. */
const PREAMBLE_TOKENS = 18_400;
const CHARACTERS_PER_TOKEN = 3.6;

/** Counts like a conversation with a prompt cache: earlier content is read, new content is written. */
export class Meter {
  #cached = 0;
  #unsent: number;

  constructor({ context = PREAMBLE_TOKENS }: { context?: number | undefined } = {}) {
    this.#unsent = context;
  }

  /** Something the next request carries. */
  add(text: string): void {
    this.#unsent += tokensOf(text);
  }

  /** One request and its response. */
  answer(text: string): Usage {
    const read = this.#cached;
    const written = this.#unsent;
    const output = tokensOf(text) + 24;
    this.#cached += written;
    this.#unsent = output;
    return {
      input_tokens: 4 + (written % 9),
      output_tokens: output,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      service_tier: 'standard',
    };
  }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
