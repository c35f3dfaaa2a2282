import { statSync } from 'node:fs';
import type { Lifecycle, OrchestratedSession, Orchestration } from '../../contract/orchestration.ts';
import type { TurnResult } from '../../contract/runners.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { Draft } from '../journal/journal.ts';
import { findCheckout } from '../sessions/checkout.ts';
import type { Actor } from './actor.ts';
import { AgentLimits } from './agent-limits.ts';
import { ambiguousName, nameTaken, notItsOwn, unknownSession } from './errors.ts';
import { type KnownSession, OrchestratedRows } from './orchestrated-rows.ts';

type EventName = 'session.queued' | 'session.launched' | 'session.advanced' | 'session.finished' | 'session.settings';

interface ChangeOptions {
  /** The person or agent who requested it. Absent: it happened on its own. */
  by?: string | undefined;
  /** Written in the same transaction. */
  write?: () => void;
  result?: TurnResult | null;
}

const PROMPT_SHOWN = 500;

/**
 * The sessions started from here, found by ID or name. They change only together with their row and journal event, so the next daemon
 * continues where this one was killed.
 */
export class SessionRegistry {
  readonly rows: OrchestratedRows;
  readonly limits: AgentLimits;
  readonly #core: Core;
  readonly #known = new Map<string, KnownSession>();
  readonly #listeners = new Set<(session: OrchestratedSession) => void>();

  constructor({ core, now }: { core: Core; now: () => number }) {
    this.#core = core;
    this.rows = new OrchestratedRows(core.journal.db);
    for (const known of this.rows.unfinished()) this.#known.set(known.id, known);
    const family = { get: (id: string) => this.find(id), childrenOf: (id: string) => this.rows.childrenOf(id) };
    this.limits = new AgentLimits(family, now);
  }

  /** Called on each change of a session. */
  onChange(listener: (session: OrchestratedSession) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(known: KnownSession): void {
    for (const listener of this.#listeners) listener(this.view(known));
  }

  find(id: string): OrchestratedSession | undefined {
    const known = this.#known.get(id) ?? this.rows.get(id);
    return known && this.view(known);
  }

  load(id: string): KnownSession | undefined {
    const known = this.#known.get(id) ?? this.rows.get(id);
    if (known) this.#known.set(id, known);
    return known;
  }

  require(id: string): KnownSession {
    const known = this.load(id);
    if (!known) throw unknownSession(id);
    return known;
  }

  async requireRef(ref: string, project: string | undefined): Promise<KnownSession> {
    const known = await this.resolve(ref, project);
    if (!known) throw unknownSession(ref);
    return known;
  }

  /** By ID, or by name: in the given project, or anywhere if only one session has the name. */
  async resolve(ref: string, project: string | undefined): Promise<KnownSession | undefined> {
    const byId = this.load(ref);
    if (byId) return byId;
    const root = project === undefined ? undefined : await projectOf(project);
    const here = root === undefined ? [] : this.rows.named(ref, root);
    const found = here.length > 0 ? here : this.rows.named(ref);
    if (found.length > 1)
      throw ambiguousName(
        ref,
        found.map(({ orchestration }) => orchestration.project),
      );
    return found[0] && this.load(found[0].id);
  }

  withLifecycle(wanted: readonly Lifecycle[]): OrchestratedSession[] {
    const found: OrchestratedSession[] = [];
    for (const known of this.#known.values())
      if (wanted.includes(known.orchestration.lifecycle)) found.push(this.view(known));
    return found;
  }

  view({ id, orchestration }: KnownSession): OrchestratedSession {
    return { id, ...orchestration };
  }

  depthOf(parentId: string | undefined): number {
    return parentId === undefined ? 0 : (this.find(parentId)?.depth ?? -1) + 1;
  }

  requireFree(name: string, project: string | null): void {
    if (this.rows.named(name, project ?? '').length > 0) throw nameTaken(name, project);
  }

  freeName(
    { name, blueprint }: { name?: string | undefined; blueprint?: string | undefined },
    project: string | null,
  ): string {
    const stem = name ?? blueprint ?? 'session';
    for (let count = name === undefined ? 1 : 0; ; count++) {
      const candidate = count === 0 ? stem : `${stem.slice(0, 55)}-${count}`;
      if (this.rows.named(candidate, project ?? '').length === 0) return candidate;
    }
  }

  /** Throws if an agent refers to a session it didn't start. */
  requireOwn({ id, orchestration }: KnownSession, { principal }: Actor): void {
    if (principal?.kind !== 'agent' || this.limits.isBelow(id, principal.sessionId)) return;
    throw notItsOwn(`"${orchestration.name}" is not a session that this one started.`);
  }

  async add(known: KnownSession, name: EventName, by: string, write?: () => void): Promise<void> {
    const { id, spec, orchestration } = known;
    this.#known.set(id, known);
    try {
      await this.#core.record({
        sessionId: id,
        source: 'operator',
        name,
        payload: { orchestration, by },
        write: () => {
          this.rows.insert(id, spec, orchestration);
          write?.();
        },
      });
    } catch (error) {
      this.#known.delete(id);
      throw error;
    }
  }

  async change(
    known: KnownSession,
    name: EventName,
    change: Partial<Orchestration>,
    options: ChangeOptions = {},
  ): Promise<void> {
    await this.#core.recordAll(this.drafts(known, name, change, options));
    this.announce(known);
  }

  /** A change whose event the caller records. */
  drafts(
    known: KnownSession,
    name: EventName,
    change: Partial<Orchestration>,
    { by, write, result }: ChangeOptions = {},
  ): Draft[] {
    known.orchestration = { ...known.orchestration, ...change };
    if (result !== undefined) known.result = result;
    const { id, orchestration } = known;
    return [
      {
        sessionId: id,
        source: by === undefined ? 'control' : 'operator',
        name,
        payload: { orchestration, ...(by === undefined ? {} : { by }) },
        write: () => {
          this.rows.update(id, orchestration);
          if (result !== undefined) this.rows.setResult(id, result);
          write?.();
        },
      },
    ];
  }

  async forget({ id }: KnownSession, by: string): Promise<void> {
    await this.#core.record({
      sessionId: id,
      source: 'operator',
      name: 'session.forgotten',
      payload: { by },
      write: () => this.rows.remove(id),
    });
    this.#known.delete(id);
  }
}

export const cutPrompt = (text: string): string =>
  text.length > PROMPT_SHOWN ? `${text.slice(0, PROMPT_SHOWN - 1)}…` : text;

export async function projectOf(cwd: string): Promise<string> {
  return (await findCheckout(cwd))?.root ?? cwd;
}

export function requireFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new DomainError('session.no_folder', 422, `${path} is not a folder.`);
}
