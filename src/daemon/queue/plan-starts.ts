import type { Lifecycle } from '../../contract/orchestration.ts';
import type { QueueLimits } from '../../contract/queue.ts';

/** A session waiting for its turn. */
export interface Waiting {
  id: string;
  project: string | null;
  parentId: string | null;
  priority: number;
  startAt: number | null;
  after: readonly string[];
  createdAt: number;
}

/** A session with a runner, or whose runner is starting. */
export interface Active {
  id: string;
  project: string | null;
  parentId: string | null;
}

export interface Situation {
  waiting: readonly Waiting[];
  active: readonly Active[];
  limits: QueueLimits;
  /** How many may run now, and why that is below the limit. */
  allowed: number;
  whyFewer: string | null;
  /** The state of a session that another one depends on; undefined: it doesn't exist. */
  outcomeOf: (ref: string, project: string | null) => Lifecycle | undefined;
  now: number;
}

export interface Plan {
  start: string[];
  /** Sessions that wait for something that can no longer happen. */
  impossible: { id: string; why: string }[];
  /** In start order, each with what it waits for. */
  waits: { id: string; why: string }[];
}

/** Higher priority first, then older first. */
export function inOrder(a: Waiting, b: Waiting): number {
  return b.priority - a.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** Which sessions start now. */
export function planStarts({ waiting, active, limits, allowed, whyFewer, outcomeOf, now }: Situation): Plan {
  const plan: Plan = { start: [], impossible: [], waits: [] };
  const slots = new Slots(active);
  for (const one of [...waiting].sort(inOrder)) {
    const standing = dependencies(one, outcomeOf);
    if (standing.failed !== null) {
      plan.impossible.push({ id: one.id, why: standing.failed });
      continue;
    }
    const why = standing.open ?? tooEarly(one, now) ?? full(one, { slots, limits, allowed, whyFewer });
    if (why !== null) plan.waits.push({ id: one.id, why });
    else {
      plan.start.push(one.id);
      slots.add(one);
    }
  }
  return plan;
}

/** A parent waits while its child works, so the two share a slot. Otherwise parents waiting for queued children would deadlock. */
class Slots {
  readonly #active = new Map<string, Active>();
  readonly #children = new Map<string, number>();

  constructor(active: readonly Active[]) {
    for (const one of active) this.#active.set(one.id, one);
    for (const one of active) this.#countChild(one);
  }

  add(one: Active): void {
    this.#active.set(one.id, one);
    this.#countChild(one);
  }

  /** It would use its parent's slot. */
  takesPlaceOfParent({ parentId }: Active): boolean {
    return parentId !== null && this.#active.has(parentId) && !this.#children.has(parentId);
  }

  used(project?: string | null): number {
    let used = 0;
    for (const one of this.#active.values())
      if (!this.#children.has(one.id) && (project === undefined || one.project === project)) used += 1;
    return used;
  }

  #countChild({ parentId }: Active): void {
    if (parentId !== null && this.#active.has(parentId))
      this.#children.set(parentId, (this.#children.get(parentId) ?? 0) + 1);
  }
}

function dependencies(
  { after, project }: Waiting,
  outcomeOf: Situation['outcomeOf'],
): { failed: string | null; open: string | null } {
  const standing = after.map((ref) => ({ ref, outcome: outcomeOf(ref, project) }));
  const failed = standing.find(
    ({ outcome }) => outcome === undefined || outcome === 'failed' || outcome === 'cancelled',
  );
  if (failed) return { failed: `It was waiting for ${failed.ref}, which ${said(failed.outcome)}.`, open: null };
  const open = standing.filter(({ outcome }) => outcome !== 'succeeded' && outcome !== 'archived');
  if (open.length === 0) return { failed: null, open: null };
  return { failed: null, open: `Waiting for ${open.map(({ ref }) => ref).join(', ')} to succeed` };
}

function said(outcome: Lifecycle | undefined): string {
  if (outcome === undefined) return 'no longer exists';
  return outcome === 'failed' ? 'failed' : 'was canceled';
}

const tooEarly = ({ startAt }: Waiting, now: number): string | null =>
  startAt !== null && startAt > now ? 'Waiting for its start time' : null;

function full(
  one: Waiting,
  { slots, limits, allowed, whyFewer }: { slots: Slots } & Pick<Situation, 'limits' | 'allowed' | 'whyFewer'>,
): string | null {
  if (allowed === 0) return whyFewer ?? 'The queue is paused';
  if (slots.takesPlaceOfParent(one)) return null;
  if (slots.used() >= allowed) return whyFewer ?? `At the limit of ${count(limits.machine)} at once`;
  const own = one.project === null ? null : (limits.projects[one.project] ?? limits.project);
  if (own !== null && slots.used(one.project) >= own) return `At the project's limit of ${count(own)} at once`;
  return null;
}

const count = (limit: number): string => (limit === 1 ? '1 session' : `${limit} sessions`);
