import { setImmediate as nextTurn } from 'node:timers/promises';
import { columnOf, type Group } from '../../contract/groups.ts';
import type { LiveSession } from '../../contract/sessions.ts';
import type { Draft } from '../journal/journal.ts';
import { type DriverView, toLiveSession } from './live-session.ts';
import type { Session } from './session.ts';
import { isReading } from './transcript-reading.ts';
import { transition } from './transition.ts';
import type { TranslatedEvent } from './translated-event.ts';

/** What one journal event did to the live view. */
export interface SessionChange {
  kind: 'session_discovered' | 'session_updated' | 'session_removed' | 'session_stopping';
  session: LiveSession;
  /** The session itself, if it just left the board. */
  left?: Session;
}

export interface Patience {
  /** How long a state must last before it calls the operator. */
  settleMs: number;
  /** How long an ended session stays on the board. */
  keepEndedMs: number;
}

/** One that ended before it got a prompt has delivered nothing. */
const KEEP_UNUSED_MS = 10_000;
/** The board must stay readable: above this number, older ones leave early. */
const MAX_ENDED = 200;

interface LiveModelOptions {
  /** What can be done to a session, by its driver. */
  describe?: (session: Session) => DriverView;
  /** The name of this machine. */
  machine?: string;
}

/** Every session of this machine that is in view, folded from the journal. */
export class LiveModel {
  readonly #sessions = new Map<string, Session>();
  readonly #views = new Map<string, LiveSession>();
  /** All views as the list response, until one of them changes. */
  #listJson: Buffer | undefined;
  /** Sessions that only time will change. */
  readonly #waiting = new Set<string>();

  readonly #options: LiveModelOptions;

  constructor(options: LiveModelOptions = {}) {
    this.#options = options;
  }

  /** As the API shows it, on the board or not. */
  viewOf(session: Session): LiveSession {
    const { describe, machine } = this.#options;
    return toLiveSession(session, { driver: describe?.(session), ...(machine ? { machine } : {}) });
  }

  apply(event: TranslatedEvent): SessionChange | undefined {
    const before = this.#sessions.get(event.sessionId);
    // what was read while the session left must not bring it back
    if (!before && isReading(event)) return undefined;
    const session = transition(before, event);
    const view = this.viewOf(session);
    this.#keep(session, view);
    const kind = kindOf(before, session, event);
    return session.gone ? { kind, session: view, left: session } : { kind, session: view };
  }

  #keep(session: Session, view: LiveSession): void {
    this.#listJson = undefined;
    if (session.gone) {
      this.#sessions.delete(session.id);
      this.#views.delete(session.id);
      this.#waiting.delete(session.id);
      return;
    }
    this.#sessions.set(session.id, session);
    this.#views.set(session.id, view);
    if (session.attention === 'settling' || session.endedAt !== null) this.#waiting.add(session.id);
    else this.#waiting.delete(session.id);
  }

  /** What the passing of time changed, for the journal to record. */
  due(now: number, { settleMs, keepEndedMs }: Patience): Draft[] {
    const waiting = [...this.#waiting].map((id) => this.#sessions.get(id)!);
    const settled = waiting.filter(
      ({ endedAt, attentionSince }) => endedAt === null && now - attentionSince >= settleMs,
    );
    const ended = waiting.filter(({ endedAt }) => endedAt !== null).sort((a, b) => a.endedAt! - b.endedAt!);
    const tooMany = ended.length - MAX_ENDED;
    const leaving = ended.filter(({ endedAt, turns }, index) => {
      const keepMs = turns === 0 ? Math.min(KEEP_UNUSED_MS, keepEndedMs) : keepEndedMs;
      return index < tooMany || now - endedAt! >= keepMs;
    });
    return [
      ...settled.map(({ id }) => clock(id, 'attention.settled')),
      ...leaving.map(({ id }) => clock(id, 'session.left')),
    ];
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  view(id: string): LiveSession | undefined {
    return this.#views.get(id);
  }

  views(): LiveSession[] {
    return [...this.#views.values()];
  }

  /**
   * Serializes views that nobody has listed yet, a few milliseconds at a time: ten thousand at once would stall every hook. Call it before
   * `listJson` and `viewsJson`, which then serialize only what changed in between.
   */
  async prepareJson(): Promise<void> {
    if (this.#listJson) return;
    let turn = performance.now();
    for (const view of this.views()) {
      jsonOf(view);
      if (performance.now() - turn < TURN_MS) continue;
      await nextTurn();
      turn = performance.now();
    }
  }

  /** Built from pieces kept with each view: of ten thousand sessions, only changed ones are serialized again. */
  listJson(): Buffer {
    this.#listJson ??= Buffer.from(`${LIST_START}[${this.views().map(jsonOf).join(',')}]}`);
    return this.#listJson;
  }

  /** The array alone. */
  viewsJson(): Buffer {
    return this.listJson().subarray(LIST_START.length, -1);
  }

  sessions(): Iterable<Session> {
    return this.#sessions.values();
  }

  hasRunning(): boolean {
    return [...this.sessions()].some(({ endedAt }) => endedAt === null);
  }

  counts(): Record<Group, number> {
    const counts = { needs_you: 0, autonomous: 0, delivered: 0 };
    for (const view of this.#views.values()) counts[columnOf(view)]++;
    return counts;
  }

  /**
   * As they are now, in parts: a later event makes new sessions. Each part takes a few milliseconds, since ten thousand sessions at once would
   * stall hooks.
   */
  save(): AsyncGenerator<string> {
    return partsOf([...this.#sessions.values()]);
  }

  load(saved: string): void {
    for (const session of JSON.parse(saved) as Session[]) this.#keep(session, this.viewOf(session));
  }
}

const TURN_MS = 5;

async function* partsOf(sessions: readonly Session[]): AsyncGenerator<string> {
  let part: string[] = [];
  let turn = performance.now();
  for (const session of sessions) {
    part.push(JSON.stringify(session));
    if (performance.now() - turn < TURN_MS) continue;
    yield `[${part.join(',')}]`;
    part = [];
    await nextTurn();
    turn = performance.now();
  }
  yield `[${part.join(',')}]`;
}

const LIST_START = '{"sessions":';
const json = new WeakMap<LiveSession, string>();

function jsonOf(view: LiveSession): string {
  const known = json.get(view);
  if (known !== undefined) return known;
  const text = JSON.stringify(view);
  json.set(view, text);
  return text;
}

function kindOf(before: Session | undefined, session: Session, event: TranslatedEvent): SessionChange['kind'] {
  if (session.gone) return 'session_removed';
  if (event.name === 'session.stopping') return 'session_stopping';
  return before ? 'session_updated' : 'session_discovered';
}

function clock(sessionId: string, name: 'attention.settled' | 'session.left'): Draft {
  return { sessionId, source: 'clock', name, payload: {} };
}
