import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AGENT_LIMITS, isFinished, type OrchestratedSession, type StartSpec } from '../../contract/orchestration.ts';
import { DomainError } from '../errors.ts';
import { isWithin } from '../is-within.ts';
import { notItsOwn } from './errors.ts';

const MINUTE_MS = 60_000;

interface Family {
  get(id: string): OrchestratedSession | undefined;
  childrenOf(id: string): OrchestratedSession[];
}

/** Limits on what an agent may start: agents that start agents have cost people hundreds of dollars in an hour. */
export class AgentLimits {
  readonly #family: Family;
  readonly #now: () => number;
  readonly #starts = new Map<string, number[]>();

  constructor(family: Family, now: () => number) {
    this.#family = family;
    this.#now = now;
  }

  /** Throws if this session may not start another one, or not this one. Returns what the child inherits. */
  check(parentId: string, spec: StartSpec): { depth: number } {
    const parent = this.#family.get(parentId);
    if (!parent) throw notItsOwn(`Ground Control didn't start session ${parentId}, so it can't start others.`);
    const depth = parent.depth + 1;
    if (depth > AGENT_LIMITS.depth)
      throw tooMany(`Sessions can be nested ${AGENT_LIMITS.depth} deep. Do this work in the current session.`);
    const live = this.descendants(this.#root(parent)).filter(({ lifecycle }) => !isFinished(lifecycle));
    if (live.length >= AGENT_LIMITS.descendants)
      throw tooMany(`${AGENT_LIMITS.descendants} sessions in this tree are running. Wait for one to finish.`);
    this.#checkRate(parentId);
    this.#checkReach(parent, spec);
    return { depth };
  }

  /** All descendants, children first. */
  descendants(id: string): OrchestratedSession[] {
    const found = new Map<string, OrchestratedSession>();
    const visit = (parentId: string) => {
      for (const child of this.#family.childrenOf(parentId)) {
        if (found.has(child.id)) continue;
        found.set(child.id, child);
        visit(child.id);
      }
    };
    visit(id);
    return [...found.values()];
  }

  isBelow(id: string, ancestorId: string): boolean {
    for (let one = this.#family.get(id); one?.parentId; one = this.#family.get(one.parentId))
      if (one.parentId === ancestorId) return true;
    return false;
  }

  #root(from: OrchestratedSession): string {
    let root = from;
    for (
      let one: OrchestratedSession | undefined = from;
      one;
      one = one.parentId ? this.#family.get(one.parentId) : undefined
    )
      root = one;
    return root.id;
  }

  #checkRate(parentId: string): void {
    const now = this.#now();
    const recent = (this.#starts.get(parentId) ?? []).filter((at) => now - at < MINUTE_MS);
    if (recent.length >= AGENT_LIMITS.startsPerMinute)
      throw tooMany(`This session started ${recent.length} others within a minute. Wait before starting more.`);
    this.#starts.set(parentId, [...recent, now]);
  }

  /** A child must not have permissions that its parent lacks, or an agent could approve its own calls. */
  #checkReach(parent: OrchestratedSession, spec: StartSpec): void {
    const { allowedTools, permissionMode, cwd, consent, agentsDir, sessionsDir, group, priority } = spec;
    const more = allowedTools.filter((tool) => !parent.allowedTools.includes(tool));
    if (more.length > 0)
      throw notItsOwn(`An agent can't pre-approve tools that it isn't allowed itself: ${more.join(', ')}.`);
    const isMore = permissionMode !== undefined && !['default', 'plan', parent.permissionMode].includes(permissionMode);
    if (isMore) throw notItsOwn(`An agent can't start a session in permission mode ${permissionMode}.`);
    if (consent !== undefined)
      throw notItsOwn("Only the operator can consent to a blueprint's MCP servers and permissions.");
    // an agent could edit a blueprint in a folder it can write to, and allow itself anything
    if (agentsDir !== undefined) throw notItsOwn("An agent can't choose where blueprints are looked for.");
    if (group !== undefined) throw notItsOwn("An agent can't add a session to a fan-out.");
    if (priority > parent.priority)
      throw notItsOwn(`An agent can't start a session with a higher priority than its own.`);
    const places = [parent.project, parent.cwd].filter((place): place is string => Boolean(place)).map(realPath);
    for (const place of [cwd, sessionsDir])
      if (place !== undefined && !places.some((own) => isWithin(realPath(place), own)))
        throw notItsOwn(`An agent can only start sessions in its own project, not in ${place}.`);
  }
}

/** Resolves `..` and links, which may lead out of the project. */
function realPath(path: string): string {
  const folder = resolve(path);
  try {
    return realpathSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // a path that doesn't exist yet resolves through its parent
    return folder === dirname(folder) ? folder : join(realPath(dirname(folder)), basename(folder));
  }
}

const tooMany = (message: string): DomainError => new DomainError('session.limit', 429, message);
