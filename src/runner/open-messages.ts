import type { MessageDelta } from '../contract/runners.ts';

type Delta = Omit<MessageDelta, 'sessionId'>;

/** Past this size, only viewers who have watched from the start see the message. */
const LONGEST = 1_000_000;

/**
 * The text so far of each actor's latest message. Deltas aren't replayed, so a page that opens mid-message or reconnects gets the beginning
 * from here.
 */
export class OpenMessages {
  readonly #byActor = new Map<string, Delta[]>();

  take(delta: Delta): void {
    const known = this.#byActor.get(delta.actor.id);
    const isSame = known?.[0]?.messageId === delta.messageId;
    if (!isSame) this.#byActor.set(delta.actor.id, delta.offset === 0 ? [{ ...delta }] : []);
    else if (known) append(known, delta);
  }

  /** Each run of text or thinking as one delta, in order. */
  deltas(): Delta[] {
    return [...this.#byActor.values()].flat().map((delta) => ({ ...delta }));
  }

  /** The turn ended, so the transcript has its messages. */
  clear(): void {
    this.#byActor.clear();
  }
}

function append(runs: Delta[], delta: Delta): void {
  const before = runs.reduce((sum, { kind, text }) => (kind === delta.kind ? sum + text.length : sum), 0);
  // a repeat after a reconnect, or a gap that can't be filled
  if (delta.offset > before || delta.offset + delta.text.length <= before) return;
  const text = delta.text.slice(before - delta.offset);
  const length = runs.reduce((sum, run) => sum + run.text.length, 0);
  if (length + text.length > LONGEST) return void runs.splice(0);
  const last = runs.at(-1)!;
  if (last.kind === delta.kind) last.text += text;
  else runs.push({ ...delta, text, offset: before });
}
