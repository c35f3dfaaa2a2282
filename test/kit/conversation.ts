/** Reads a Messages API request the way a scenario thinks of it: which prompt is being worked on, and how far. */

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
  /** What the model is asked to work on: the last thing written by the person, the parent agent or the client. */
  prompt: string;
  /** How many answers the model has given to that prompt so far. */
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

// The client wraps what it adds on its own in these, inside the same user message as the prompt.
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
// Background work that ends wakes the model with nothing but a reminder, which then is the prompt. So does a hook, whose
// words follow in a reminder of their own, of which the client has escaped the end.
const WAKE_UP =
  /<task-notification>[\s\S]*?<\/task-notification>(?:\s*<system-reminder>[\s\S]*?(?=&lt;\/system-reminder))?/;
// An interrupted turn leaves this line behind; it is not something anybody asked.
const INTERRUPTED = /\[Request interrupted by user[^\]]*\]/g;

function writtenPrompt({ content }: Message): string | undefined {
  const blocks: ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => text ?? '');
  // prompts that were never answered pile up in one user message: the last one counts
  const written = texts.map((text) => text.replace(REMINDER, '').replace(INTERRUPTED, '').trim());
  const last = written.findLastIndex((text) => text !== '');
  // next to a tool result it is news in passing, and the turn goes on
  const isNews = blocks.some(({ type }) => type === 'tool_result');
  const wakeUp = isNews ? undefined : WAKE_UP.exec(texts.slice(last + 1).join('\n'))?.[0];
  return wakeUp ?? written[last];
}

/**
 * The client also asks small questions of its own (a name for a plan, a title). Those offer no tools, and a scenario
 * does not want to hear of them.
 */
export function isSideRequest({ tools = [] }: MessagesRequest): boolean {
  return tools.length === 0;
}
