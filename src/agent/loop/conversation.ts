import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';

export type PromptBlock = TextBlockParam | ImageBlockParam;

/**
 * One durable step of a conversation. The host stores entries in order, and the messages of the next request are a fold over them. A
 * process can die between any two entries and the conversation can still continue.
 */
export type Entry =
  | { type: 'prompt'; content: PromptBlock[] }
  | { type: 'block'; reply: string; block: ContentBlockParam }
  | { type: 'call.started'; id: string }
  | { type: 'reply.ended'; reply: string; keep: number }
  | { type: 'result'; result: ToolResultBlockParam }
  | { type: 'interrupted' }
  | { type: 'compacted'; content: PromptBlock[] };

const INTERRUPTED = '[Request interrupted by user]';
export const MAY_HAVE_RUN =
  'Interrupted before the result was known. The call may have run: check before you repeat it.';
const NOT_RUN = 'Not run: the session was interrupted before the call started.';

/** Append-only: later requests send every earlier message unchanged. */
export class Conversation {
  #messages: MessageParam[] = [];
  #reply: { id: string; blocks: ContentBlockParam[] } | null = null;
  /** Calls from the last reply that aren't in a message yet. */
  #calls: string[] = [];
  readonly #started = new Set<string>();
  readonly #results = new Map<string, ToolResultBlockParam>();
  readonly #ids = new Set<string>();
  #wasInterrupted = false;

  constructor(entries: Iterable<Entry> = []) {
    for (const entry of entries) this.apply(entry);
  }

  apply(entry: Entry): void {
    switch (entry.type) {
      case 'prompt':
        this.#addPrompt(entry.content);
        return;
      case 'block':
        this.#addBlock(entry.reply, entry.block);
        return;
      case 'call.started':
        this.#started.add(entry.id);
        return;
      case 'reply.ended':
        this.#endReply(entry.keep);
        return;
      case 'result':
        this.#results.set(entry.result.tool_use_id, entry.result);
        return;
      case 'interrupted':
        this.#wasInterrupted = true;
        return;
      case 'compacted':
        this.#messages = [{ role: 'user', content: entry.content }];
        this.#reply = null;
        this.#calls = [];
        this.#wasInterrupted = false;
    }
  }

  /** The messages to send now. Calls without a result get one that says so, because the API rejects an unanswered call. */
  messages(): MessageParam[] {
    const answers = this.#answers();
    return answers.length > 0 ? [...this.#messages, { role: 'user', content: answers }] : [...this.#messages];
  }

  /** Entries that make the conversation of a killed process valid again. */
  repairs(): Entry[] {
    if (!this.#reply) return this.#missing();
    const { id, blocks } = this.#reply;
    const repairs: Entry[] = [
      { type: 'reply.ended', reply: id, keep: this.keptBlocks(blocks) },
      { type: 'interrupted' },
    ];
    const kept = blocks.slice(0, this.keptBlocks(blocks));
    return [...repairs, ...this.#missing(callIds(kept))];
  }

  /**
   * The usable part of a reply that ended early: finished blocks up to the last text or started call. Drops calls that didn't start and
   * trailing thinking.
   */
  keptBlocks(blocks: readonly ContentBlockParam[]): number {
    const isUsable = (block: ContentBlockParam) =>
      block.type === 'text' || (block.type === 'tool_use' && this.#started.has(block.id));
    return blocks.findLastIndex(isUsable) + 1;
  }

  /** Some gateways restart call ids at zero in every reply, but an id must be unique in a conversation. */
  uniqueId(id: string): string {
    let unique = id;
    for (let copy = 2; this.#ids.has(unique); copy += 1) unique = `${id}_${copy}`;
    this.#ids.add(unique);
    return unique;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  #addPrompt(content: PromptBlock[]): void {
    const marker: PromptBlock[] = this.#wasInterrupted ? [{ type: 'text', text: INTERRUPTED }] : [];
    this.#wasInterrupted = false;
    this.#commitAnswers();
    const last = this.#messages.at(-1);
    if (last?.role !== 'user') return void this.#messages.push({ role: 'user', content: [...marker, ...content] });
    // two user messages in a row: the first one got no answer
    const before = typeof last.content === 'string' ? [] : last.content;
    this.#messages[this.#messages.length - 1] = { role: 'user', content: [...before, ...marker, ...content] };
  }

  #addBlock(reply: string, block: ContentBlockParam): void {
    if (this.#reply?.id !== reply) {
      this.#commitAnswers();
      this.#reply = { id: reply, blocks: [] };
    }
    if (block.type === 'tool_use') this.#ids.add(block.id);
    this.#reply.blocks.push(block);
  }

  #endReply(keep: number): void {
    const content = this.#reply?.blocks.slice(0, keep) ?? [];
    this.#reply = null;
    if (content.length === 0) return;
    const last = this.#messages.at(-1);
    // a paused reply is continued in the same message
    if (last?.role === 'assistant' && typeof last.content !== 'string')
      this.#messages[this.#messages.length - 1] = { role: 'assistant', content: [...last.content, ...content] };
    else this.#messages.push({ role: 'assistant', content });
    this.#calls = callIds(content);
  }

  #commitAnswers(): void {
    const answers = this.#answers();
    if (answers.length > 0) this.#messages.push({ role: 'user', content: answers });
    this.#calls = [];
  }

  #answers(): ToolResultBlockParam[] {
    return this.#calls.map((id) => this.#results.get(id) ?? this.#filler(id));
  }

  #missing(calls: string[] = this.#calls): Entry[] {
    return calls.filter((id) => !this.#results.has(id)).map((id) => ({ type: 'result', result: this.#filler(id) }));
  }

  #filler(id: string): ToolResultBlockParam {
    const content = this.#started.has(id) ? MAY_HAVE_RUN : NOT_RUN;
    return { type: 'tool_result', tool_use_id: id, content, is_error: true };
  }
}

function callIds(blocks: readonly ContentBlockParam[]): string[] {
  return blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}
