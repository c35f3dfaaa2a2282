import { MAX_COLLISIONS } from '../../contract/collisions.ts';
import type { Collision } from '../../contract/sessions.ts';
import type { Draft } from '../journal/journal.ts';
import type { LiveModel, SessionChange } from '../sessions/live-model.ts';
import type { TranslatedEvent } from '../sessions/translated-event.ts';
import { collide, placeOf, type Writer } from './collide.ts';

interface Options {
  live: Pick<LiveModel, 'get' | 'sessions'>;
  record: (draft: Draft) => Promise<unknown>;
  onError: (error: unknown) => void;
}

/** Flags sessions that write in the same place on each other until one of them ends. */
export class CollisionWatch {
  readonly #options: Options;
  /** Sessions by file or place they wrote to. Avoids comparing every pair of sessions. */
  readonly #byKey = new Map<string, Set<string>>();
  readonly #keys = new Map<string, Set<string>>();
  /** The collisions recorded last. The live model gets them a moment later. */
  readonly #told = new Map<string, Collision[]>();

  constructor(options: Options) {
    this.#options = options;
    const sessions = [...options.live.sessions()];
    for (const session of sessions) {
      this.#told.set(session.id, session.collisions);
      this.#index(session);
    }
    for (const { id } of sessions) this.#check(id);
  }

  readonly observe = (event: TranslatedEvent, change: SessionChange | undefined): void => {
    if (!change || event.name === 'collision.observed') return;
    const { id } = change.session;
    const session = this.#options.live.get(id);
    const isOver = !session || session.endedAt !== null;
    const hasKeys = this.#keys.has(id);
    if (isOver) {
      if (!hasKeys) return;
      this.#forget(id);
      this.#check(id);
      if (!session) this.#told.delete(id);
      return;
    }
    const mayWrite =
      event.agent.some(({ type }) => type === 'tool.ended') || event.name === 'place.observed' || !hasKeys;
    if (!mayWrite || session.written.length === 0) return;
    this.#index(session);
    this.#check(id);
  };

  #index(session: Writer): void {
    if (session.endedAt !== null || session.written.length === 0) return;
    const place = placeOf(session);
    const wanted = new Set([...session.written.map(({ path }) => path), ...(place === null ? [] : [`place:${place}`])]);
    const known = this.#keys.get(session.id) ?? new Set();
    for (const key of known) if (!wanted.has(key)) this.#byKey.get(key)?.delete(session.id);
    for (const key of wanted) {
      if (known.has(key)) continue;
      const ids = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, ids.add(session.id));
    }
    this.#keys.set(session.id, wanted);
  }

  #forget(id: string): void {
    for (const key of this.#keys.get(id) ?? []) {
      const ids = this.#byKey.get(key);
      ids?.delete(id);
      if (ids?.size === 0) this.#byKey.delete(key);
    }
    this.#keys.delete(id);
  }

  /** Compares this session with every session it collides with or might. */
  #check(id: string): void {
    const near = new Set((this.#told.get(id) ?? []).map(({ sessionId }) => sessionId));
    for (const key of this.#keys.get(id) ?? []) for (const other of this.#byKey.get(key) ?? []) near.add(other);
    near.delete(id);
    for (const other of near) {
      if (this.#mayTell(id, other)) this.#compare(id, other);
      if (this.#mayTell(other, id)) this.#compare(other, id);
    }
  }

  /** Whether it is told already, or there is room. */
  #mayTell(id: string, otherId: string): boolean {
    const told = this.#told.get(id) ?? [];
    return told.length < MAX_COLLISIONS || told.some(({ sessionId }) => sessionId === otherId);
  }

  #compare(id: string, otherId: string): void {
    const { live, record, onError } = this.#options;
    const [session, other] = [live.get(id), live.get(otherId)];
    const now = session && other && collide(session, other);
    const told = this.#told.get(id) ?? [];
    const before = told.find(({ sessionId }) => sessionId === otherId);
    const next = now && before ? { ...now, since: before.since } : now;
    if (JSON.stringify(next) === JSON.stringify(before)) return;
    const collisions = [...told.filter(({ sessionId }) => sessionId !== otherId), ...(next ? [next] : [])];
    this.#told.set(id, collisions);
    if (!session) return;
    record({ sessionId: id, source: 'watch', name: 'collision.observed', payload: { collisions } }).catch(onError);
  }
}
