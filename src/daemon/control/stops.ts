import type { Approval } from '../../contract/approvals.ts';
import type { StopFilter } from '../../contract/control.ts';
import type { LiveSession, Stop } from '../../contract/sessions.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { Responder } from '../hooks/intake.ts';
import { readProcesses } from '../processes/read-processes.ts';
import { sharedReading } from '../processes/shared-reading.ts';
import { requireSession } from '../sessions/sessions.ts';
import { canRefuse, refuseHook } from './refuse-hook.ts';
import { matchesFilter } from './stop-filter.ts';
import { isUnheard, StopRun } from './stop-run.ts';

export interface StopsOptions {
  core: Core;
  configDir: string;
  now: () => number;
  onError: (error: unknown) => void;
  /** Refuses what a session waits with; how much that was. */
  cancelHeld?: (sessionId: string, refusal: { message: string; by: string }) => Promise<number>;
  unheardMs?: number;
}

/** Whose call it is, and how it asks. */
export interface Refused {
  sessionId: string;
  agentId?: string | undefined;
  origin: Approval['origin'];
}

export interface StopOrder {
  by: string;
  reason?: string | undefined;
  kill: boolean;
}

/** A stop under way: as it was announced, and as it will end. */
export interface Stopping {
  sessionId: string;
  stop: Stop;
  done: Promise<Stop>;
}

interface Active extends Stopping {
  run: StopRun;
  announced: Promise<unknown>;
}

/** Stops sessions and says so in the journal. One stop per session at a time: a second one joins the first. */
export class Stops {
  readonly #options: StopsOptions;
  readonly #active = new Map<string, Active>();
  readonly #readProcesses = sharedReading(readProcesses);
  #isClosed = false;

  constructor(options: StopsOptions) {
    this.#options = options;
    options.core.observe(({ sessionId }) => this.#active.get(sessionId)?.run.wake());
  }

  /** While a session stops, nobody else has a say: why its calls are refused. Undefined: it is not being stopped. */
  refusal({ sessionId, agentId, origin }: Refused): string | undefined {
    const active = this.#active.get(sessionId) ?? this.#goOn(sessionId);
    if (active) return active.run.refuse(agentId);
    // a program's own loop learns of the stop when it next asks; until it is given a new prompt the stop holds
    const stop = origin === 'api' ? this.#options.core.live.get(sessionId)?.stop : undefined;
    return stop ? refusalText(stop) : undefined;
  }

  /** Ends a turn wherever the client lets us: also at hooks that ask for nothing. */
  readonly respond: Responder = ({ payload }) => {
    if (!canRefuse(payload)) return undefined;
    const agentId = typeof payload.agent_id === 'string' && payload.agent_id ? payload.agent_id : undefined;
    const message = this.refusal({ sessionId: payload.session_id, agentId, origin: 'hook' });
    return message === undefined ? undefined : refuseHook(payload, message);
  };

  /** A session that had fallen silent speaks again, and nobody has given it a new prompt: its stop holds. */
  #goOn(sessionId: string): Active | undefined {
    const view = this.#options.core.live.view(sessionId);
    if (this.#isClosed || !view?.stop || view.endedAt !== null || !isUnheard(view.stop)) return undefined;
    return this.#start(view, { ...view.stop, state: 'stopping', stoppedAt: null, receipt: null });
  }

  /** Resolves when it is announced; an ended session is done by then. */
  async stopSession(sessionId: string, order: StopOrder): Promise<Stopping> {
    const { core, now } = this.#options;
    const running = this.#active.get(sessionId);
    if (running) return this.#join(running, order);
    const view = requireSession(core, sessionId);
    const { by, kill, reason = 'Stopped by the operator' } = order;
    const requested = { requestedAt: now(), requestedBy: by, reason, kill };
    const stopping = this.#start(view, { state: 'stopping', ...requested, stoppedAt: null, receipt: null });
    await stopping.announced;
    return view.endedAt === null ? stopping : { ...stopping, stop: await stopping.done };
  }

  async stopMany({ ids, ...filter }: StopFilter, order: StopOrder): Promise<Stopping[]> {
    const { core } = this.#options;
    // unknown ids are said before anything is stopped
    const candidates = ids
      ? [...new Set(ids)].map((id) => requireSession(core, id))
      : core.live.views().filter(({ endedAt }) => endedAt === null);
    const chosen = candidates.filter((session) => matchesFilter(session, filter));
    return Promise.all(chosen.map(({ id }) => this.stopSession(id, order)));
  }

  /** Goes on with what a daemon before us had begun. */
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
    if (!order.kill || running.stop.kill) return running;
    if (!running.run.escalate()) {
      await running.done;
      return this.stopSession(running.sessionId, order);
    }
    running.stop = { ...running.stop, kill: true, requestedBy: order.by };
    running.announced = this.#record(running.sessionId, 'session.stopping', running.stop);
    await running.announced;
    return running;
  }

  #start(view: LiveSession, stop: Stop, { isAnnounced = false } = {}): Active {
    const { core, configDir, now, onError, cancelHeld, unheardMs } = this.#options;
    const sessionId = view.id;
    const message = refusalText(stop);
    const run = new StopRun({
      session: () => core.live.get(sessionId),
      sessionId,
      configDir,
      readProcesses: this.#readProcesses,
      cancelHeld: async (refusal) => {
        const held = cancelHeld?.(sessionId, { message: refusal, by: stop.requestedBy });
        return (await held?.catch(this.#goOnWithout)) ?? 0;
      },
      ...(unheardMs === undefined ? {} : { unheardMs }),
      message,
      kill: stop.kill,
      now,
    });
    const announced = isAnnounced ? Promise.resolve() : this.#record(sessionId, 'session.stopping', stop);
    const active: Active = { sessionId, stop, run, announced, done: Promise.resolve(stop) };
    // in the same turn: whoever asks again from now on joins, and no hook slips through
    this.#active.set(sessionId, active);
    active.done = this.#carryOut(active).finally(() => this.#active.delete(sessionId));
    active.done.catch((error) => {
      if (!this.#isClosed) onError(error);
    });
    return active;
  }

  async #carryOut(active: Active): Promise<Stop> {
    await active.announced;
    const receipt = await active.run.run();
    if (this.#isClosed) throw new DomainError('daemon.leaving', 503, 'The daemon is leaving; the next one goes on.');
    const stopped: Stop = { ...active.stop, state: 'stopped', stoppedAt: this.#options.now(), receipt };
    await this.#record(active.sessionId, 'session.stopped', stopped);
    return stopped;
  }

  /** A session that is out of view has ended, and an event would bring it back. */
  async #record(sessionId: string, name: 'session.stopping' | 'session.stopped', stop: Stop): Promise<void> {
    const { live, record } = this.#options.core;
    if (!live.get(sessionId)) return;
    const source = name === 'session.stopping' ? 'operator' : 'control';
    await record({ sessionId, source, name, payload: { stop } }).catch(this.#goOnWithout);
  }

  /** What cannot be written (the disk is full) is done all the same: a stop is for emergencies. */
  readonly #goOnWithout = (error: unknown): undefined => {
    this.#options.onError(error);
  };
}

function refusalText({ requestedBy, reason }: Stop): string {
  return `Ground Control stopped this session (${requestedBy}): ${reason}`;
}
