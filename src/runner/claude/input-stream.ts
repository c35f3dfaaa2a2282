import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';

/** A stream of prompts that stays open until it is closed. */
export class InputStream implements AsyncIterable<SDKUserMessage> {
  readonly #waiting: SDKUserMessage[] = [];
  #wake: () => void = () => undefined;
  #isEnded = false;

  push(text: string): void {
    this.#waiting.push({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content: text } });
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
