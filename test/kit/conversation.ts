/** Reads a Messages API request from a scenario's point of view: which prompt is being worked on, and how far along it is. */

interface ContentBlock {
  type: string;
  text?: string;
  [key: string]: unknown;
}

export interface Message {
  role: 'user' | 'assistant' | 'system';
  content: string | ContentBlock[];
}

export interface MessagesRequest {
  model: string;
  messages: Message[];
  system?: string | ContentBlock[];
  tools?: { name: string }[];
  stream?: boolean;
  [key: string]: unknown;
}

export interface Turn {
  /** What the model is working on: the last text from the person, the parent agent or the client. */
  prompt: string;
  /** Number of replies the model has given to that prompt. */
  step: number;
}

export function currentTurn(messages: Message[]): Turn {
  let step = 0;
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') step += 1;
    const prompt = message.role === 'user' ? writtenPrompt(message) : undefined;
    if (prompt !== undefined) return { prompt, step };
  }
  return { prompt: '', step };
}

// The client wraps its own additions in these, inside the same user message as the prompt.
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
// Background work that ends wakes the model with only a reminder, which is then the prompt. So does a hook, whose
// text follows in a separate reminder with an escaped end tag.
const WAKE_UP =
  /<task-notification>[\s\S]*?<\/task-notification>(?:\s*<system-reminder>[\s\S]*?(?=&lt;\/system-reminder))?/;
// An interrupted turn leaves this line behind. Nobody wrote it.
const INTERRUPTED = /\[Request interrupted by user[^\]]*\]/g;

function writtenPrompt({ content }: Message): string | undefined {
  const blocks: ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => text ?? '');
  // unanswered prompts pile up in one user message: the last one counts
  const written = texts.map((text) => text.replace(REMINDER, '').replace(INTERRUPTED, '').trim());
  const last = written.findLastIndex((text) => text !== '');
  // next to a tool result it is just an update, and the turn continues
  const isNews = blocks.some(({ type }) => type === 'tool_result');
  const wakeUp = isNews ? undefined : WAKE_UP.exec(texts.slice(last + 1).join('\n'))?.[0];
  return wakeUp ?? written[last];
}

/** The client also makes small requests of its own (a name for a plan, a title). Those offer no tools, and scenarios ignore them. */
export function isSideRequest({ tools = [] }: MessagesRequest): boolean {
  return tools.length === 0;
}
