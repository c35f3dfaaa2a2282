import type { HookAnswer, HookPayload } from '../../../../contract/hooks.ts';
import type { TakenHook } from './intake.ts';

/** From the entry in the user's settings, or the one in a strict project's. */
export type Door = 'user' | 'project';

/** How a hook is handled: alone, or together with its duplicate. */
export type Share = (
  payload: HookPayload,
  onHangUp: TakenHook['onHangUp'],
  take: (onHangUp: TakenHook['onHangUp']) => Promise<HookAnswer>,
) => Promise<HookAnswer>;

interface Shared {
  door: Door;
  answer: Promise<HookAnswer>;
  join(onHangUp: TakenHook['onHangUp']): void;
}

/** The duplicate arrives a moment later or never, so entries must expire. */
const KEEP = 1000;

/**
 * In a strict project the client sends each call twice, at the same time, through two entries. Both get the same answer, and the call is
 * recorded once.
 */
export class SharedCalls {
  readonly #isActive: () => boolean;
  readonly #single = new Map<string, Shared>();

  constructor({ isActive }: { isActive: () => boolean }) {
    this.#isActive = isActive;
  }

  at(door: Door): Share {
    return (payload, onHangUp, take) => {
      const key = this.#isActive() ? keyOf(payload) : undefined;
      if (key === undefined) return take(onHangUp);
      const other = this.#single.get(key);
      // The same entry again means a new call.
      if (!other || other.door === door) return this.#first(key, door, onHangUp, take);
      this.#single.delete(key);
      other.join(onHangUp);
      return other.answer;
    };
  }

  #first(key: string, door: Door, onHangUp: TakenHook['onHangUp'], take: Parameters<Share>[2]): Promise<HookAnswer> {
    const { join, onAllGone } = hangUps();
    join(onHangUp);
    const answer = take(onAllGone);
    this.#single.delete(key);
    this.#single.set(key, { door, answer, join });
    if (this.#single.size > KEEP) this.#single.delete(this.#single.keys().next().value!);
    return answer;
  }
}

function keyOf({ session_id, hook_event_name, tool_use_id }: HookPayload): string | undefined {
  if (hook_event_name !== 'PreToolUse' || typeof tool_use_id !== 'string') return undefined;
  return `${session_id} ${tool_use_id}`;
}

/** Someone is waiting as long as one connection is open. */
function hangUps() {
  const listeners: (() => void)[] = [];
  let open = 0;
  return {
    join(onHangUp: TakenHook['onHangUp']): void {
      open++;
      onHangUp(() => {
        if (--open === 0) for (const listener of listeners) listener();
      });
    },
    onAllGone(listener: () => void): void {
      if (open === 0) listener();
      else listeners.push(listener);
    },
  };
}
