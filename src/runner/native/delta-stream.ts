import type { LoopEvent } from '../../agent/events.ts';
import type { EventActor } from '../../contract/agent-events.ts';
import type { MessageDelta } from '../../contract/runners.ts';

interface Message {
  id: string;
  text: number;
  thinking: number;
}

/** Text deltas with their position in a message. The transcript stores that message under the same id. */
export class DeltaStream {
  readonly #send: (delta: Omit<MessageDelta, 'sessionId'>) => void;
  /** By actor. */
  readonly #messages = new Map<string, Message>();

  constructor(send: (delta: Omit<MessageDelta, 'sessionId'>) => void) {
    this.#send = send;
  }

  take(event: LoopEvent): void {
    if (event.type === 'text.delta') this.#add(event.actor, 'text', event);
    else if (event.type === 'thinking.delta') this.#add(event.actor, 'thinking', event);
  }

  #add(actor: EventActor, kind: 'text' | 'thinking', { reply, text }: { reply: string; text: string }): void {
    const known = this.#messages.get(actor.id);
    const message = known?.id === reply ? known : { id: reply, text: 0, thinking: 0 };
    this.#messages.set(actor.id, message);
    this.#send({ messageId: message.id, actor, kind, text, offset: message[kind] });
    message[kind] += text.length;
  }
}
