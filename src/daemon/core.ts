import type { Logger } from 'pino';
import { eventType, faultIn } from '../contract/events.ts';
import { parseRef } from '../contract/session-ref.ts';
import { describeSession } from './drivers/session-drivers.ts';
import { translate } from './drivers/to-agent-events.ts';
import { DomainError } from './errors.ts';
import { type Draft, Journal, type JournalEvent } from './journal/journal.ts';
import { Snapshots } from './journal/snapshots.ts';
import { LiveModel, type SessionChange } from './sessions/live-model.ts';
import { RemovedSessions } from './sessions/removed-sessions.ts';
import { SESSION_MODEL } from './sessions/session.ts';
import type { TranslatedEvent } from './sessions/translated-event.ts';
import type { Change } from './stream/frames.ts';
import { Hub } from './stream/hub.ts';

const SNAPSHOT_EVERY = 2000;
/** How many changes to keep for reconnecting clients. Those who missed more get a full snapshot. */
const REPLAY = 1000;

const UNWRITABLE =
  "the journal can't be written: the board is frozen and nothing is recorded; deny and ask rules and stops still apply";

/** Called for every event once it is on disk and in the live model, before its recorder continues. */
export type Observer = (event: TranslatedEvent, change: SessionChange | undefined) => void;

export interface CoreOptions {
  path: string;
  now: () => number;
  log: Logger;
  /** The name of this machine. */
  machine?: string;
  /** For tests: checks recorded events against the catalog. */
  checksEvents?: boolean;
}

interface Applied {
  event: TranslatedEvent;
  change: Change;
  session: SessionChange | undefined;
}

/** The one write path: to the journal, then into the live model, then out on the stream. */
export class Core {
  readonly journal: Journal;
  readonly live: LiveModel;
  readonly left: RemovedSessions;
  readonly hub = new Hub({ keep: REPLAY });
  readonly #snapshots: Snapshots;
  readonly #observers: Observer[] = [];
  readonly #log: Logger;
  readonly #checksEvents: boolean;
  #lastSnapshot: number;
  #isSaving = false;
  #isClosed = false;

  constructor({ path, now, log, machine = '', checksEvents = false }: CoreOptions) {
    this.live = new LiveModel({ describe: describeSession, machine });
    this.#log = log;
    this.#checksEvents = checksEvents;
    this.journal = new Journal({
      path,
      now,
      onCommit: (events) => this.#onCommit(events),
      onFailure: (failure) => {
        if (failure) log.error({ path, ...failure }, UNWRITABLE);
        else log.info({ path }, 'the journal is writable again');
      },
    });
    this.#snapshots = new Snapshots(this.journal.db, SESSION_MODEL);
    this.left = new RemovedSessions(this.journal.db, SESSION_MODEL);
    this.#restore();
    this.#lastSnapshot = this.#snapshots.newestSeq();
  }

  readonly record = async (draft: Draft): Promise<JournalEvent> => {
    this.#check(draft);
    return this.journal.append(draft);
  };

  /** Events up to here are in a snapshot, so no start reads them again. */
  get snapshotSeq(): number {
    return this.#snapshots.oldestSeq();
  }

  /** All of them or none. */
  readonly recordAll = async (drafts: Draft[]): Promise<JournalEvent[]> => {
    for (const draft of drafts) this.#check(draft);
    return this.journal.appendAll(drafts);
  };

  #check(draft: Draft): void {
    if (parseRef(draft.sessionId).machine !== null) throw new ForeignId(draft.sessionId);
    const fault = this.#checksEvents ? faultIn(draft) : undefined;
    if (fault !== undefined) throw new Error(fault);
  }

  observe(observer: Observer): void {
    this.#observers.push(observer);
  }

  close(): void {
    this.#isClosed = true;
    this.saveLeft();
    this.journal.close();
    this.hub.close();
  }

  /** Only saves later readers from scanning the journal. */
  saveLeft(): void {
    try {
      this.left.save();
    } catch (error) {
      this.#log.error({ err: error }, 'ended sessions could not be saved');
    }
  }

  /** Restores the live model from the older snapshot; the events since then go to the hub for replays. */
  #restore(): void {
    const snapshot = this.#snapshots.oldest();
    for (const part of snapshot?.parts ?? []) this.live.load(part);
    for (const event of this.journal.eventsAfter(snapshot?.seq ?? 0))
      this.hub.publish([this.#apply(this.#translated(event)).change]);
  }

  #onCommit(events: JournalEvent[]): void {
    const applied = events.map((event) => this.#apply(this.#translated(event)));
    this.#guarded(events[0]!, () => this.hub.publish(applied.map(({ change }) => change)));
    applied.forEach(({ session, event }) => {
      if (session?.left) this.left.note(session.left);
      for (const observe of this.#observers) this.#guarded(event, () => observe(event, session));
    });
    if (this.#isSaving || this.journal.committedSeq - this.#lastSnapshot < SNAPSHOT_EVERY) return;
    this.#isSaving = true;
    this.#lastSnapshot = this.journal.committedSeq;
    // After the answers are sent. The model may be ahead by then, so its position is read again.
    setImmediate(() => this.#saveSnapshot());
  }

  /** Only saves startup time: one that couldn't be written (the disk is full, we're shutting down) is retried later. */
  async #saveSnapshot(): Promise<void> {
    try {
      const seq = this.journal.committedSeq;
      await this.#snapshots.save({ seq, parts: this.live.save() }, () => this.#isClosed);
    } catch (error) {
      this.#log.error({ err: error }, 'no snapshot could be saved');
    } finally {
      this.#isSaving = false;
    }
  }

  #apply(event: TranslatedEvent): Applied {
    const { seq, sessionId, payload } = event;
    const { subject, stream } = eventType(event);
    if (subject === 'approval' && stream) {
      const approval = (payload.approval ?? payload.undecided) as { id: string };
      const change = { seq, kind: stream, key: `approval:${approval.id}`, data: approval, event };
      return { change, session: undefined, event };
    }
    if (stream) return { change: { seq, kind: stream, key: stream, data: {}, event }, session: undefined, event };
    const session = this.#guarded(event, () => this.live.apply(event));
    // An unreadable event leaves the session unchanged; a session with nothing else doesn't exist.
    const shown = session?.session ?? this.live.view(sessionId);
    const kind = session?.kind ?? (shown ? 'session_updated' : 'session_removed');
    const data = kind === 'session_removed' ? { sessionId } : shown;
    return { change: { seq, kind, key: sessionId, data, event }, session, event };
  }

  #translated(event: JournalEvent): TranslatedEvent {
    return this.#guarded(event, () => translate(event)) ?? { ...event, agent: [] };
  }

  /** What is on disk is acknowledged even if we can't process it: a bug here must not stall an agent. */
  #guarded<T>(event: JournalEvent, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#log.error(
        { err: error, seq: event.seq, event: event.name, session: event.sessionId },
        'an event could not be applied',
      );
      return undefined;
    }
  }
}

/** An agent that used a ref as its id could pass for another session everywhere. */
class ForeignId extends DomainError {
  constructor(id: string) {
    super(
      'session.bad_id',
      400,
      `${id.slice(0, 200)} names a session of a machine. A session's own id has no @machine at its end.`,
    );
  }
}
