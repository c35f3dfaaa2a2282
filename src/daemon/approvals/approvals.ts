import { randomUUID } from 'node:crypto';
import type { Approval, Decision, DecisionRequest, HeldDecision, ReleaseTo } from '../../contract/approvals.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import { clip } from '../sessions/clip.ts';
import { type ApprovalFilter, ApprovalRows } from './approval-rows.ts';
import { checkDecision } from './check-decision.ts';

/** In lists and streams an edit of a large file is cut; whoever decides on it reads the whole one. */
const STREAM_STRING = 20_000;

export interface Ask {
  origin: Approval['origin'];
  correlationId: string;
  sessionId: string;
  agentId?: string | undefined;
  kind: Approval['kind'];
  toolName: string;
  toolUseId?: string | undefined;
  toolInput: Record<string, unknown>;
  plan?: string | undefined;
  ruleId?: string | undefined;
  /** After this long nobody is asked any more. */
  timeoutSeconds?: number | undefined;
  /** For a request that only we can show: when it is given back undecided, and to whom. */
  release?: { at: number; to: ReleaseTo } | undefined;
  /** The call itself is held: its client asks nobody. */
  holdsCall?: boolean | undefined;
}

/** Why an approval was closed without a decision, and who did it if the operator did. */
export interface Closing {
  why?: string | undefined;
  by?: string | undefined;
}

export class ApprovalAlreadySettled extends DomainError {
  constructor(approval: Approval) {
    const decision = approval.decision ?? approval.held;
    const how = decision ? `${decision.decision} by ${decision.by}` : approval.status.replaceAll('_', ' ');
    super('approval.already_decided', 409, `Too late: this was settled before (${how}).`, {
      approval: forStream(approval),
    });
  }
}

/**
 * Held questions to the operator. The daemon is one thread, so the first decision to be taken up is the first: what comes
 * while it is being written is refused with its name, and nobody is told of it before it is on the disk.
 */
export class Approvals {
  readonly #core: Core;
  readonly #rows: ApprovalRows;
  readonly #now: () => number;
  readonly #pending = new Map<string, Approval>();
  readonly #settling = new Map<string, Promise<Approval>>();
  readonly #waiters = new Map<string, Set<(approval: Approval | undefined) => void>>();
  #isLeaving = false;

  constructor({ core, now }: { core: Core; now: () => number }) {
    this.#core = core;
    this.#rows = new ApprovalRows(core.journal.db);
    this.#now = now;
    for (const approval of this.#rows.list({ status: 'pending', limit: 100_000 }))
      this.#pending.set(approval.id, approval);
  }

  /** Written and announced when this resolves. Asking again with the same correlation id finds the same approval. */
  async ask(ask: Ask): Promise<Approval> {
    const known = this.byCorrelation(ask);
    if (known) return known;
    const approval = this.#create(ask);
    this.#pending.set(approval.id, approval);
    try {
      await this.#record('approval.requested', approval, 'control', () => this.#rows.insert(approval));
    } catch (error) {
      this.#pending.delete(approval.id);
      this.#release(approval.id, undefined);
      throw error;
    }
    return approval;
  }

  /** Left to the client at once: on the record, but nobody was asked. */
  async pass(ask: Ask, why: string): Promise<Approval> {
    const passed: Approval = { ...this.#create(ask), status: 'released', settledAt: this.#now(), closedWhy: why };
    await this.#record('approval.released', passed, 'control', () => this.#rows.insert(passed));
    return passed;
  }

  #create({ timeoutSeconds, release, holdsCall: _, ...ask }: Ask): Approval {
    const createdAt = this.#now();
    return {
      id: randomUUID(),
      ...withoutUndefined(ask),
      status: 'pending',
      createdAt,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds, expiresAt: createdAt + timeoutSeconds * 1000 }),
      ...(release ? { releaseAt: release.at, releaseTo: release.to } : {}),
    };
  }

  byCorrelation(key: Pick<Ask, 'origin' | 'correlationId'>): Approval | undefined {
    for (const approval of this.#pending.values())
      if (approval.origin === key.origin && approval.correlationId === key.correlationId) return approval;
    return this.#rows.byCorrelation(key);
  }

  /** Resolves when it is settled, at once if it is. Undefined: the one who waited gave up first, or we leave. */
  wait(id: string, { signal }: { signal: AbortSignal }): Promise<Approval | undefined> {
    const approval = this.#pending.get(id);
    if (!approval) return Promise.resolve(this.#rows.get(id));
    if (this.#isLeaving || signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(id) ?? new Set();
      this.#waiters.set(id, waiters.add(resolve));
      signal.addEventListener('abort', () => {
        waiters.delete(resolve);
        resolve(undefined);
      });
    });
  }

  /** Lets everyone go who waits, undecided: we are about to leave, and the rows stay for whoever asks again. */
  letGo(): void {
    this.#isLeaving = true;
    for (const id of [...this.#waiters.keys()]) this.#release(id, undefined);
  }

  #release(id: string, outcome: Approval | undefined): void {
    const waiters = this.#waiters.get(id);
    this.#waiters.delete(id);
    for (const resolve of waiters ?? []) resolve(outcome);
  }

  isWaitedFor(id: string): boolean {
    return (this.#waiters.get(id)?.size ?? 0) > 0;
  }

  async decide(id: string, request: Omit<DecisionRequest, 'remember'>, by: string): Promise<Approval> {
    // no await between the look and the claim in #settle: whoever comes in between would win as well
    const winner = await this.#settling.get(id)?.catch(() => undefined);
    if (winner) throw new ApprovalAlreadySettled(winner);
    if (this.#settling.has(id)) return this.decide(id, request, by);
    const approval = this.get(id);
    if (approval.status !== 'pending') throw new ApprovalAlreadySettled(approval);
    const decision = {
      ...checkDecision(approval, request),
      by,
      at: this.#now(),
      waitedMs: this.#now() - approval.createdAt,
    };
    return this.#settle(approval, { status: 'decided', decision });
  }

  /** Says that it is about to be decided, or (undefined) that it is not any more. Nothing is decided by this. */
  async hold(id: string, held: HeldDecision | undefined, by: string): Promise<Approval> {
    const winner = await this.#settling.get(id)?.catch(() => undefined);
    const { held: before, ...undecided } = winner ?? this.get(id);
    if (undecided.status !== 'pending') throw new ApprovalAlreadySettled(undecided);
    const approval: Approval = held ? { ...undecided, held } : undecided;
    const { sessionId, toolName, toolInput } = forStream(approval);
    const detail = `${(held ?? before)?.decision ?? 'decision'} ${held ? 'held' : 'undone'}`;
    await this.#core.record({
      sessionId,
      source: 'operator',
      name: held ? 'approval.held' : 'approval.undone',
      payload: { by, toolName, toolInput, detail, undecided: forStream(approval) },
      write: () => this.#rows.update(approval),
    });
    // it may have been settled while this was written
    if (this.#pending.has(id)) this.#pending.set(id, approval);
    return approval;
  }

  /** Nobody decided in time, and the asker must have an answer. */
  async timeOut(id: string): Promise<Approval | undefined> {
    const approval = this.#pending.get(id);
    if (!approval || this.#settling.has(id)) return this.#settling.get(id);
    const decision: Decision = {
      decision: 'deny',
      reason: 'timeout',
      by: 'timeout',
      at: this.#now(),
      waitedMs: this.#now() - approval.createdAt,
    };
    return this.#settle(approval, { status: 'decided', decision });
  }

  /** It was settled elsewhere, given back, or there is nobody left to answer. */
  async close(
    id: string,
    status: 'answered_in_terminal' | 'cancelled' | 'released' | 'expired',
    { by, why }: Closing = {},
  ): Promise<Approval | undefined> {
    const approval = this.#pending.get(id);
    if (!approval || this.#settling.has(id)) return this.#settling.get(id);
    return this.#settle(approval, { status, ...(by ? { closedBy: by } : {}), ...(why ? { closedWhy: why } : {}) });
  }

  async #settle(
    { held: _held, ...approval }: Approval,
    outcome: Pick<Approval, 'status' | 'decision' | 'closedBy' | 'closedWhy'>,
  ): Promise<Approval> {
    const settled: Approval = { ...approval, ...outcome, settledAt: this.#now() };
    const isByOperator = outcome.closedBy !== undefined || (outcome.decision && outcome.decision.by !== 'timeout');
    const name = outcome.status === 'released' ? 'approval.released' : 'approval.decided';
    const write = () => this.#rows.update(settled);
    const writing = this.#record(name, settled, isByOperator ? 'operator' : 'control', write).then(() => settled);
    this.#settling.set(approval.id, writing);
    try {
      await writing;
      this.#pending.delete(approval.id);
    } finally {
      this.#settling.delete(approval.id);
    }
    this.#release(approval.id, settled);
    return settled;
  }

  async #record(name: string, approval: Approval, source: 'operator' | 'control', write: () => void): Promise<void> {
    await this.#core.record({
      sessionId: approval.sessionId,
      source,
      name,
      payload: { approval: forStream(approval) },
      write,
    });
  }

  get(id: string): Approval {
    const approval = this.#pending.get(id) ?? this.#rows.get(id);
    if (!approval) throw new DomainError('approval.unknown', 404, `No approval ${id}. GET /api/approvals lists them.`);
    return approval;
  }

  list(filter: ApprovalFilter): Approval[] {
    return this.#rows.list(filter).map(forStream);
  }

  pending(): Iterable<Approval> {
    return this.#pending.values();
  }
}

function forStream(approval: Approval): Approval {
  return {
    ...approval,
    toolInput: clip(approval.toolInput, { string: STREAM_STRING, items: 200, depth: 12 }) as Record<string, unknown>,
  };
}

function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
