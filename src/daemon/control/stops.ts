import type { Approval } from '../../contract/approvals.ts';
import { DEFAULT_STOP_WAIT_SECONDS, type SessionProcessList, type StopFilter } from '../../contract/control.ts';
import type { LiveSession, Stop } from '../../contract/sessions.ts';
import type { Core } from '../core.ts';
import type { Refusal, StopLadder } from '../drivers/driver.ts';
import type { Reach } from '../drivers/session-drivers.ts';
import { DomainError } from '../errors.ts';
import { requireSession } from '../sessions/sessions.ts';
import { matchesFilter } from './stop-filter.ts';

export interface StopsOptions {
  core: Core;
  driver: Reach;
  now: () => number;
  onError: (error: unknown) => void;
  /** Denies everything a session is waiting for, and returns how much that was. */
  cancelHeld?: (sessionId: string, refusal: { message: string; by: string }) => Promise<number>;
  /** How long to wait for a session's next hook, unless the request says otherwise. */
  waitSeconds?: () => number;
  unheardMs?: number;
}

/** The calling actor, and how it asks. */
export interface Refused {
  sessionId: string;
  agentId?: string | undefined;
  origin: Approval['origin'];
}

export interface StopOrder {
  by: string;
  reason?: string | undefined;
  kill: boolean;
  waitSeconds?: number | undefined;
  ifUnreached?: Stop['ifUnreached'];
  endDetached?: string[];
}

/** A stop in progress: as announced, and its eventual outcome. */
export interface Stopping {
  sessionId: string;
  stop: Stop;
  /** Done, or known to wait for something only the agent or the operator can do. */
  told: Promise<Stop>;
  done: Promise<Stop>;
}

interface Active extends Stopping {
  run: StopLadder;
  announced: Promise<unknown>;
}

/** Stops sessions and records it in the journal. One stop per session at a time: a second one joins the first. */
export class Stops {
  readonly #options: StopsOptions;
  readonly #active = new Map<string, Active>();
  #isClosed = false;

  constructor(options: StopsOptions) {
    this.#options = options;
    options.core.observe(({ sessionId }) => this.#active.get(sessionId)?.run.wake());
  }

  /** While a session is stopping, this is what its calls are told. undefined: it isn't stopping. */
  refusal({ sessionId, agentId, origin }: Refused): Refusal | undefined {
    const active = this.#active.get(sessionId) ?? this.#goOn(sessionId);
    if (active) return active.run.refuse(agentId);
    // A program's own loop learns of the stop when it asks next. The stop holds until a new prompt.
    const stop = origin === 'api' ? this.#options.core.live.get(sessionId)?.stop : undefined;
    return stop ? { message: refusalText(stop), endsTurn: true } : undefined;
  }

  /** A session that went silent is back without a new prompt, so its stop still holds. */
  #goOn(sessionId: string): Active | undefined {
    const view = this.#options.core.live.view(sessionId);
    if (this.#isClosed || !view?.stop || view.endedAt !== null || !isUnheard(view.stop)) return undefined;
    return this.#start(view, { ...view.stop, state: 'stopping', stoppedAt: null, receipt: null });
  }

  /** Resolves when announced. An ended session is done by then, and unchanged unless something of it has to end. */
  async stopSession(sessionId: string, order: StopOrder): Promise<Stopping> {
    const { core, now, waitSeconds = () => DEFAULT_STOP_WAIT_SECONDS } = this.#options;
    const running = this.#active.get(sessionId);
    if (running) return this.#join(running, order);
    const view = requireSession(core, sessionId);
    const { by, kill, reason = 'Stopped by the operator', ifUnreached = 'ask', endDetached = [] } = order;
    const requestedAt = now();
    const isLive = view.endedAt === null;
    const waitsUntil = kill || !isLive ? null : requestedAt + 1000 * (order.waitSeconds ?? waitSeconds());
    const stop: Stop = {
      state: 'stopping',
      requestedAt,
      requestedBy: by,
      reason,
      kill,
      ifUnreached,
      waitsUntil,
      unreached: null,
      stoppedAt: null,
      receipt: null,
    };
    const stopping = this.#start(view, stop, { endDetached, isRecorded: isLive || kill });
    await stopping.announced;
    return isLive ? stopping : { ...stopping, stop: await stopping.done };
  }

  async stopMany({ ids, ...filter }: StopFilter, order: StopOrder): Promise<Stopping[]> {
    const { core } = this.#options;
    // Report unknown ids before stopping anything.
    const candidates = ids
      ? [...new Set(ids)].map((id) => requireSession(core, id))
      : core.live.views().filter(({ endedAt }) => endedAt === null);
    const chosen = candidates.filter((session) => matchesFilter(session, filter));
    return Promise.all(chosen.map(({ id }) => this.stopSession(id, order)));
  }

  /** A session's processes, by what a stop would do to them. */
  async processes(sessionId: string): Promise<SessionProcessList> {
    const { core, driver } = this.#options;
    requireSession(core, sessionId);
    return driver.processes(sessionId);
  }

  /** Continues stops that an earlier daemon started. */
  resume(): void {
    for (const view of this.#options.core.live.views())
      if (view.stop?.state === 'stopping') this.#start(view, view.stop, { isAnnounced: true });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const active = [...this.#active.values()];
    for (const { run } of active) run.abort();
    await Promise.allSettled(active.map(({ done }) => done));
  }

  async #join(running: Active, order: StopOrder): Promise<Stopping> {
    await running.announced;
    const { kill, ifUnreached = 'ask', endDetached = [], by } = order;
    const { stop, run, sessionId } = running;
    if (kill && (!stop.kill || endDetached.length > 0)) {
      if (!run.escalate({ endDetached })) {
        await running.done;
        return this.stopSession(sessionId, order);
      }
      return this.#announce(running, { kill: true, waitsUntil: null, requestedBy: by });
    }
    if (ifUnreached === stop.ifUnreached || ifUnreached === 'ask' || stop.kill) return running;
    run.endIfUnreached();
    return this.#announce(running, { ifUnreached, requestedBy: by });
  }

  async #announce(running: Active, change: Partial<Stop>): Promise<Stopping> {
    running.stop = { ...running.stop, ...change };
    // A caller who joins wants the outcome, not what it waited for.
    running.told = running.done;
    running.announced = this.#record(running.sessionId, 'session.stopping', running.stop);
    await running.announced;
    return running;
  }

  #start(view: LiveSession, stop: Stop, { endDetached = [] as string[], isAnnounced = false, isRecorded = true } = {}) {
    const { driver, now, onError, cancelHeld, unheardMs } = this.#options;
    const sessionId = view.id;
    let tell: (stop: Stop) => void = () => undefined;
    const unreached = new Promise<Stop>((resolve) => {
      tell = resolve;
    });
    const run = driver.stop({
      sessionId,
      cancelHeld: async (message) => {
        const held = cancelHeld?.(sessionId, { message, by: stop.requestedBy });
        return (await held?.catch(this.#goOnWithout)) ?? 0;
      },
      onUnreached: (news) => {
        active.stop = { ...active.stop, waitsUntil: null, unreached: news };
        active.announced = this.#record(sessionId, 'session.unreached', active.stop);
        active.announced.then(() => tell(active.stop)).catch(onError);
      },
      ...(unheardMs === undefined ? {} : { unheardMs }),
      message: refusalText(stop),
      kill: stop.kill,
      waitMs: Math.max(0, (stop.waitsUntil ?? 0) - now()),
      ifUnreached: stop.ifUnreached,
      isUnreached: stop.unreached !== null,
      endDetached,
      now,
    });
    const isSilent = isAnnounced || !isRecorded;
    const announced = isSilent ? Promise.resolve() : this.#record(sessionId, 'session.stopping', stop);
    const done = Promise.resolve(stop);
    const active: Active = { sessionId, stop, run, announced, told: done, done };
    // In the same tick, so every later caller joins and no hook slips through.
    this.#active.set(sessionId, active);
    active.done = this.#carryOut(active, { isRecorded }).finally(() => this.#active.delete(sessionId));
    active.told = stop.unreached === null ? Promise.race([active.done, unreached]) : active.done;
    for (const promise of [active.done, active.told])
      promise.catch((error) => {
        if (!this.#isClosed) onError(error);
      });
    return active;
  }

  async #carryOut(active: Active, { isRecorded }: { isRecorded: boolean }): Promise<Stop> {
    await active.announced;
    const receipt = await active.run.run();
    if (this.#isClosed)
      throw new DomainError('daemon.leaving', 503, 'The daemon is shutting down; the next one continues.');
    const stoppedAt = this.#options.now();
    const stopped: Stop = { ...active.stop, state: 'stopped', waitsUntil: null, unreached: null, stoppedAt, receipt };
    if (isRecorded) await this.#record(active.sessionId, 'session.stopped', stopped);
    return stopped;
  }

  /** A session off the board has ended, and an event would bring it back. */
  async #record(sessionId: string, name: StopEvent, stop: Stop): Promise<void> {
    const { live, record } = this.#options.core;
    if (!live.get(sessionId)) return;
    const source = name === 'session.stopping' ? 'operator' : 'control';
    await record({ sessionId, source, name, payload: { stop } }).catch(this.#goOnWithout);
  }

  /** Proceed even if it can't be recorded (the disk is full): a stop is for emergencies. */
  readonly #goOnWithout = (error: unknown): undefined => {
    this.#options.onError(error);
  };
}

/** We gave up on it: whether it still runs somewhere is unknown. */
function isUnheard({ state, receipt }: Stop): boolean {
  return state === 'stopped' && receipt?.steps.some(({ step }) => step === 'unheard') === true;
}

type StopEvent = 'session.stopping' | 'session.unreached' | 'session.stopped';

function refusalText({ requestedBy, reason }: Stop): string {
  return `Ground Control stopped this session (${requestedBy}): ${reason}`;
}
