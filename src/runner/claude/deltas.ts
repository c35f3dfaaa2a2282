import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { EventActor } from '../../contract/agent-events.ts';
import { MAIN_ACTOR } from '../../contract/main-actor.ts';
import type { MessageDelta } from '../../contract/runners.ts';

/** Text arrives in tiny deltas, and a reader can't tell twenty updates a second from a thousand. */
const GATHER_MS = 50;

type Delta = Omit<MessageDelta, 'sessionId'>;

interface Open {
  messageId: string;
  actor: EventActor;
  /** Characters sent so far, by kind. */
  offsets: { text: number; thinking: number };
}

/** Turns the client's message stream into deltas for live viewers. */
export class Deltas {
  readonly #send: (delta: Delta) => void;
  readonly #open = new Map<string, Open>();
  #gathered: Delta[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (delta: Delta) => void) {
    this.#send = send;
  }

  take({ event, parent_tool_use_id: parent }: Extract<SDKMessage, { type: 'stream_event' }>): void {
    const speaker = parent ?? MAIN_ACTOR;
    if (event.type === 'message_start') {
      this.#open.set(speaker, {
        messageId: event.message.id,
        actor: { id: speaker },
        offsets: { text: 0, thinking: 0 },
      });
      return;
    }
    const open = this.#open.get(speaker);
    if (!open) return;
    if (event.type === 'message_stop') {
      this.flush();
      this.#open.delete(speaker);
      return;
    }
    if (event.type !== 'content_block_delta') return;
    if (event.delta.type === 'text_delta') this.#gather(open, 'text', event.delta.text);
    else if (event.delta.type === 'thinking_delta') this.#gather(open, 'thinking', event.delta.thinking);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const delta of this.#gathered.splice(0)) this.#send(delta);
  }

  #gather({ messageId, actor, offsets }: Open, kind: Delta['kind'], text: string): void {
    const last = this.#gathered.at(-1);
    if (last?.messageId === messageId && last.kind === kind) last.text += text;
    else this.#gathered.push({ messageId, actor, kind, text, offset: offsets[kind] });
    offsets[kind] += text.length;
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }
}
