import { columnOf, type Group } from '../../contract/groups.ts';
import type { Machine } from '../../contract/machines.ts';
import { formatRef, parseRef, type SessionRef } from '../../contract/session-ref.ts';
import type { LiveSession } from '../../contract/sessions.ts';
import { DomainError } from '../errors.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Hub } from '../stream/hub.ts';

interface BoardOptions {
  machine: Machine;
  live: LiveModel;
  hub: Pick<Hub, 'announce'>;
}

interface Mirror {
  machine: Machine;
  views: Map<string, LiveSession>;
}

/**
 * The sessions of this machine and those that are mirrored from others, as one list. Only this machine's are in the live model, so whatever
 * looks at the disk or the process table sees no others.
 */
export class Board {
  readonly machine: Machine;
  readonly #live: LiveModel;
  readonly #hub: Pick<Hub, 'announce'>;
  readonly #mirrors = new Map<string, Mirror>();

  constructor({ machine, live, hub }: BoardOptions) {
    this.machine = machine;
    this.#live = live;
    this.#hub = hub;
  }

  machines(): Machine[] {
    return [this.machine, ...[...this.#mirrors.values()].map(({ machine }) => machine)];
  }

  /** This machine's own name in a ref says nothing: what is left is a bare id. */
  refOf(text: string): SessionRef {
    const ref = parseRef(text);
    return ref.machine === this.machine.id ? { machine: null, id: ref.id } : ref;
  }

  /** The id of a session of this machine. What is asked of another machine's session is refused by its name. */
  localId(text: string): string {
    const { machine, id } = this.refOf(text);
    if (machine === null) return id;
    const mirror = this.#mirrors.get(machine);
    if (!mirror) throw new DomainError('machine.unknown', 404, `No machine ${machine}. GET /api/machines lists them.`);
    throw new DomainError('machine.elsewhere', 409, `This session runs on ${mirror.machine.name}. Do it there.`);
  }

  view(text: string): LiveSession | undefined {
    const { machine, id } = this.refOf(text);
    return machine === null ? this.#live.view(id) : this.#mirrors.get(machine)?.views.get(id);
  }

  views(): LiveSession[] {
    const local = this.#live.views();
    return this.#mirrors.size === 0 ? local : [...local, ...this.#mirrored()];
  }

  /** Call before `listJson` and `viewsJson`, so that neither has ten thousand sessions to serialize in one go. */
  prepareJson(): Promise<void> {
    return this.#live.prepareJson();
  }

  /** As `GET /api/sessions` answers. */
  listJson(): Buffer {
    if (this.#mirrors.size === 0) return this.#live.listJson();
    return Buffer.concat([Buffer.from('{"sessions":'), this.viewsJson(), Buffer.from('}')]);
  }

  /** As one JSON array. */
  viewsJson(): Buffer {
    const local = this.#live.viewsJson();
    const mirrored = this.#mirrored();
    if (mirrored.length === 0) return local;
    const rest = mirrored.map((view) => JSON.stringify(view)).join(',');
    const isEmpty = local.length === '[]'.length;
    return Buffer.concat([local.subarray(0, -1), Buffer.from(`${isEmpty ? '' : ','}${rest}]`)]);
  }

  counts(): Record<Group, number> {
    const counts = this.#live.counts();
    for (const view of this.#mirrored()) counts[columnOf(view)]++;
    return counts;
  }

  /** Shows a session as another machine reports it. */
  put(machine: Machine, told: LiveSession): void {
    const mirror = this.#mirrors.get(machine.id) ?? { machine, views: new Map<string, LiveSession>() };
    this.#mirrors.set(machine.id, { ...mirror, machine });
    const view = { ...told, id: formatRef({ machine: machine.id, id: told.id }), machine: machine.name };
    const isNew = !mirror.views.has(told.id);
    mirror.views.set(told.id, view);
    this.#hub.announce(isNew ? 'session_discovered' : 'session_updated', view);
  }

  /** Another machine no longer shows this session; without an id, none of its own. */
  drop(machine: string, id?: string): void {
    const mirror = this.#mirrors.get(machine);
    if (!mirror) return;
    const leaving = id === undefined ? [...mirror.views.keys()] : [id];
    for (const one of leaving) {
      if (!mirror.views.delete(one)) continue;
      this.#hub.announce('session_removed', { sessionId: formatRef({ machine, id: one }) });
    }
    if (id === undefined) this.#mirrors.delete(machine);
  }

  #mirrored(): LiveSession[] {
    return [...this.#mirrors.values()].flatMap(({ views }) => [...views.values()]);
  }
}
