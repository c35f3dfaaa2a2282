import type { Draft } from '../journal/journal.ts';
import type { LiveModel } from '../sessions/live-model.ts';

/**
 * Per minute, this many refusals are recorded individually for each session (and for all callers without one), and beyond that this many for
 * each path, so that a flood of one kind doesn't hide another. The rest are counted.
 */
const EACH_MINUTE = 30;
const EACH_PATH = 20;
const AT_MOST = 300;
const MINUTE_MS = 60_000;
const MAX_KNOWN = 1000;

export interface Refusal {
  /** The session whose process asked, if known. */
  sessionId: string | undefined;
  /** Who asked, for the audit record. */
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

interface Minute {
  since: number;
  written: number;
  unwritten: number;
  paths: Map<string, number>;
}

/** Records who tried to act and was refused. A caller that hammers doesn't fill the disk: what is left out is counted. */
export class Refusals {
  readonly #options: RefusalsOptions;
  readonly #minutes = new Map<string, Minute>();

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  note({ sessionId, by, method, path, why }: Refusal): void {
    const { record, live, onError } = this.#options;
    const minute = this.#minuteOf(sessionId ?? '');
    const route = `${method} ${path}`;
    const written = minute.paths.get(route) ?? 0;
    if (minute.written >= AT_MOST || (minute.written >= EACH_MINUTE && written >= EACH_PATH)) {
      minute.unwritten += 1;
      return;
    }
    const before = minute.unwritten > 0 ? ` (${minute.unwritten} more before this were not logged)` : '';
    minute.written += 1;
    minute.paths.set(route, written + 1);
    minute.unwritten = 0;
    const payload = { by, decision: 'refused', detail: `${method} ${path}: ${why}${before}` };
    // An event would bring back a session that left the board.
    const shown = sessionId !== undefined && live.get(sessionId) ? sessionId : '';
    record({ sessionId: shown, source: 'control', name: 'access.refused', payload }).catch(onError);
  }

  #minuteOf(key: string): Minute {
    const now = this.#options.now();
    const known = this.#minutes.get(key);
    if (known && now - known.since < MINUTE_MS) return known;
    if (this.#minutes.size >= MAX_KNOWN) this.#minutes.delete(this.#minutes.keys().next().value ?? '');
    const minute = { since: now, written: 0, unwritten: known?.unwritten ?? 0, paths: new Map<string, number>() };
    this.#minutes.set(key, minute);
    return minute;
  }
}
