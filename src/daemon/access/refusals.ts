import type { Draft } from '../journal/journal.ts';
import type { LiveModel } from '../sessions/live-model.ts';

/** The same refusal again within this is counted, and written with the next. */
const AGAIN_MS = 10_000;
const MAX_KNOWN = 1000;

export interface Refusal {
  /** The session whose process asked, if it is known. */
  sessionId: string | undefined;
  /** Who asked, for the record. */
  by: string;
  method: string;
  path: string;
  why: string;
}

export interface RefusalsOptions {
  record: (draft: Draft) => Promise<unknown>;
  live: LiveModel;
  now: () => number;
  onError: (error: unknown) => void;
}

/** Who tried to act and was refused is on the record, at once the first time; one that hammers does not fill the disk. */
export class Refusals {
  readonly #options: RefusalsOptions;
  readonly #last = new Map<string, { at: number; since: number }>();

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  note({ sessionId, by, method, path, why }: Refusal): void {
    const { record, live, now, onError } = this.#options;
    const key = `${sessionId ?? by} ${method} ${path} ${why}`;
    const last = this.#last.get(key);
    if (last && now() - last.at < AGAIN_MS) {
      last.since += 1;
      return;
    }
    if (this.#last.size >= MAX_KNOWN) this.#last.delete(this.#last.keys().next().value ?? '');
    this.#last.delete(key);
    this.#last.set(key, { at: now(), since: 0 });
    const again = last && last.since > 0 ? ` (and ${last.since} more times since the last entry)` : '';
    const detail = `${method} ${path}: ${why}${again}`;
    // an event would bring a session back that has left the view
    const shown = sessionId !== undefined && live.get(sessionId) ? sessionId : '';
    const payload = { by, decision: 'refused', detail, ...(sessionId === undefined ? {} : { session: sessionId }) };
    record({ sessionId: shown, source: 'control', name: 'access.refused', payload }).catch(onError);
  }
}
