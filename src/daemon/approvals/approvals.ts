import { randomUUID } from 'node:crypto';
import type {
  Approval,
  ApprovalStatus,
  Decision,
  DecisionRequest,
  Delivery,
  HeldDecision,
} from '../../contract/approvals.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { Draft } from '../journal/journal.ts';
import { clip } from '../sessions/clip.ts';
import { ApprovalAlreadySettled, forStream } from './already-settled.ts';
import { type ApprovalFilter, ApprovalRows } from './approval-rows.ts';
import type { Ask } from './ask.ts';
import { Askers, type AttachedAsker } from './askers.ts';
import { checkDecision } from './check-decision.ts';

/** Why an approval was closed without a decision, and by whom if the operator did it. */
export interface Closing {
  why?: string | undefined;
  by?: string | undefined;
}

interface Outcome {
  approval: Approval;
  status: ApprovalStatus;
  decision?: Decision;
  closedBy?: string;
  closedWhy?: string;
}

/** A decision's side effects: computed when it is its turn, and written in its transaction. */
export interface Alongside {
  drafts: Draft[];
  /** Other pending approvals that a new rule decides. */
  byRule: { approval: Approval; decision: RuleDecided }[];
}

export type RuleDecided = Required<Pick<Decision, 'decision' | 'ruleId' | 'reason'>> & Pick<Decision, 'message'>;

/**
 * Requests held for the operator. The daemon is single-threaded, so the first decision to be claimed wins: later ones are refused and told
 * who won, and nobody hears of a decision before it is on disk.
 */
export class Approvals {
  readonly #core: Core;
  readonly #rows: ApprovalRows;
  readonly #now: () => number;
  readonly #askers: Askers;
  readonly #startedAt: number;
  readonly #pending = new Map<string, Approval>();
  /** Decided, but not known to have reached the asker. */
  readonly #undelivered = new Map<string, Approval>();
  /** When the last waiting hook left. */
  readonly #leftAt = new Map<string, number>();
  readonly #settling = new Map<string, Promise<Approval>>();
  readonly #waiters = new Map<string, Set<(approval: Approval | undefined) => void>>();
  #isLeaving = false;

  constructor({ core, now }: { core: Core; now: () => number }) {
    this.#core = core;
    this.#rows = new ApprovalRows(core.journal.db);
    this.#now = now;
    this.#askers = new Askers({ db: core.journal.db, now });
    this.#startedAt = now();
    for (const approval of this.#rows.list({ status: 'pending', limit: 100_000 }))
      this.#pending.set(approval.id, approval);
    for (const approval of this.#rows.undelivered()) this.#undelivered.set(approval.id, approval);
  }

  /** Written and announced when this resolves. Asking again with the same correlation id returns the same approval. */
  async ask(ask: Ask): Promise<Approval> {
    const known = this.byCorrelation(ask);
    if (known) {
      if (ask.asker) this.#askers.add(known.id, ask.asker);
      return known;
    }
    const approval = this.#create(ask);
    this.#pending.set(approval.id, approval);
    try {
      const write = () => {
        this.#rows.insert(approval);
        if (ask.asker) this.#askers.add(approval.id, ask.asker);
      };
      await this.#core.recordAll(this.#drafts('approval.requested', approval, write));
    } catch (error) {
      this.#pending.delete(approval.id);
      this.#release(approval.id, undefined);
      throw error;
    }
    return approval;
  }

  /** No need to ask: recorded with its decision, for an asker that fetches it later. */
  async decided(ask: Ask, decision: Omit<Decision, 'at' | 'waitedMs'>): Promise<Approval> {
    const approval = this.#create(ask);
    const settled: Approval = {
      ...approval,
      status: 'decided',
      settledAt: approval.createdAt,
      decision: this.#decision(approval, decision),
    };
    await this.#core.recordAll(this.#drafts('approval.decided', settled, () => this.#rows.insert(settled)));
    return settled;
  }

  /** Left to the client right away: recorded, but nobody was asked. */
  async pass(ask: Ask, why: string): Promise<Approval> {
    const passed: Approval = { ...this.#create(ask), status: 'released', settledAt: this.#now(), closedWhy: why };
    await this.#core.recordAll(this.#drafts('approval.released', passed, () => this.#rows.insert(passed)));
    return passed;
  }

  #create({ timeoutSeconds, release, holdsCall: _, asker: __, ...ask }: Ask): Approval {
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

  /** Resolves when it is settled, or immediately if it already is. undefined: the waiter gave up first, or we are shutting down. */
  wait(id: string, { signal }: { signal: AbortSignal }): Promise<Approval | undefined> {
    const approval = this.#pending.get(id);
    if (!approval) return Promise.resolve(this.#rows.get(id));
    if (this.#isLeaving || signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(id) ?? new Set();
      this.#waiters.set(id, waiters.add(resolve));
      signal.addEventListener('abort', () => {
        waiters.delete(resolve);
        if (waiters.size === 0) this.#leftAt.set(id, this.#now());
        resolve(undefined);
      });
    });
  }

  /** Since when no hook waits for it. undefined: one does. */
  unattendedSince(id: string): number | undefined {
    if (this.isWaitedFor(id)) return undefined;
    const { createdAt } = this.get(id);
    return Math.max(createdAt, this.#startedAt, this.#leftAt.get(id) ?? 0);
  }

  findAsker(key: string): AttachedAsker | undefined {
    return this.#askers.find(key);
  }

  askersOf(id: string): AttachedAsker[] {
    return this.#askers.of(id);
  }

  /** Shutting down: asks everyone who can reconnect to do so. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Releases all waiters undecided. We are shutting down, and the rows stay for callers that ask again. */
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

  async decide(
    id: string,
    request: Omit<DecisionRequest, 'remember'>,
    by: string,
    alongside: () => Alongside = () => ({ drafts: [], byRule: [] }),
  ): Promise<Approval> {
    // No await between the check and the claim in #settle, or a second decision could win as well.
    const winner = await this.#settling.get(id)?.catch(() => undefined);
    if (winner) throw new ApprovalAlreadySettled(winner);
    if (this.#settling.has(id)) return this.decide(id, request, by, alongside);
    const approval = this.get(id);
    if (approval.status !== 'pending') throw new ApprovalAlreadySettled(approval);
    const decision = this.#decision(approval, { ...checkDecision(approval, request), by });
    const { drafts, byRule } = alongside();
    const others = byRule.map((other) => this.#ruled(other));
    const [settled] = await this.#settle([{ approval, status: 'decided', decision }, ...others], drafts);
    return settled!;
  }

  /** Decided by a rule created after they were asked. */
  async decideByRule(byRule: Alongside['byRule']): Promise<Approval[]> {
    return byRule.length === 0 ? [] : this.#settle(byRule.map((one) => this.#ruled(one)));
  }

  #ruled({ approval, decision }: Alongside['byRule'][number]): Outcome {
    return { approval, status: 'decided', decision: this.#decision(approval, { ...decision, by: 'rule' }) };
  }

  #decision({ createdAt }: Approval, decision: Omit<Decision, 'at' | 'waitedMs'>): Decision {
    const at = this.#now();
    return { ...decision, at, waitedMs: at - createdAt };
  }

  /** Announces that a decision is being held, or (undefined) no longer is. This decides nothing. */
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
    // It may have been settled while this was written.
    if (this.#pending.has(id)) this.#pending.set(id, approval);
    return approval;
  }

  /** Nobody decided in time, and the asker needs an answer. */
  async timeOut(id: string): Promise<Approval | undefined> {
    const approval = this.#pending.get(id);
    if (!approval || this.#settling.has(id)) return this.#settling.get(id);
    const decision = this.#decision(approval, { decision: 'deny', reason: 'timeout', by: 'timeout' });
    const [settled] = await this.#settle([{ approval, status: 'decided', decision }]);
    return settled;
  }

  /** Settled elsewhere, returned, or nobody is left to answer. */
  async close(
    id: string,
    status: 'answered_in_terminal' | 'cancelled' | 'released' | 'expired',
    { by, why }: Closing = {},
  ): Promise<Approval | undefined> {
    const approval = this.#pending.get(id);
    if (!approval || this.#settling.has(id)) return this.#settling.get(id);
    const closing = { ...(by ? { closedBy: by } : {}), ...(why ? { closedWhy: why } : {}) };
    const [settled] = await this.#settle([{ approval, status, ...closing }]);
    return settled;
  }

  /** All of them with their side effects, or none. */
  async #settle(outcomes: Outcome[], alongside: Draft[] = []): Promise<Approval[]> {
    const settled = outcomes.map(({ approval: { held: _held, ...approval }, ...outcome }): Approval => {
      const delivery: Delivery = { state: 'pending', at: this.#now() };
      return { ...approval, ...outcome, settledAt: this.#now(), ...(outcome.decision ? { delivery } : {}) };
    });
    const [first, ...others] = settled.map((approval) =>
      this.#drafts(approval.status === 'released' ? 'approval.released' : 'approval.decided', approval),
    );
    const writing = this.#core.recordAll([...first!, ...alongside, ...others.flat()]);
    for (const approval of settled) {
      const outcome = writing.then(() => approval);
      // The waiter handles the failure; there may be none.
      outcome.catch(() => undefined);
      this.#settling.set(approval.id, outcome);
    }
    try {
      await writing;
      for (const approval of settled) this.#putAway(approval);
    } finally {
      for (const { id } of settled) this.#settling.delete(id);
    }
    for (const approval of settled) this.#release(approval.id, approval);
    return settled;
  }

  #putAway(approval: Approval): void {
    this.#pending.delete(approval.id);
    this.#leftAt.delete(approval.id);
    if (approval.delivery?.state === 'pending') this.#undelivered.set(approval.id, approval);
    else this.#askers.putAway(approval.id);
  }

  /** What happened to a decision. A delivery that turns out to have failed can be corrected; a failure can't. */
  async deliver(id: string, { state, why }: { state: 'delivered' | 'not_delivered'; why?: string }): Promise<void> {
    const approval = this.get(id);
    const before = approval.delivery?.state;
    if (before === undefined || before === 'not_delivered' || before === state) return;
    const delivery: Delivery = { state, at: this.#now(), ...(why ? { why } : {}) };
    const next: Approval = { ...approval, delivery };
    // Until it is written, so anyone else who reports on it finds it already reported.
    this.#undelivered.set(id, next);
    try {
      const payload = { approval: forStream(next) };
      const write = () => this.#rows.update(next);
      const { sessionId } = next;
      await this.#core.record({ sessionId, source: 'control', name: `approval.${state}`, payload, write });
      this.#undelivered.delete(id);
    } catch (error) {
      this.#undelivered.set(id, approval);
      throw error;
    }
  }

  *undelivered(): Generator<Approval> {
    for (const approval of this.#undelivered.values()) if (approval.delivery?.state === 'pending') yield approval;
  }

  #drafts(
    name: 'approval.requested' | 'approval.decided' | 'approval.released',
    approval: Approval,
    write = () => (name === 'approval.requested' ? this.#rows.insert(approval) : this.#rows.update(approval)),
  ): Draft[] {
    const { id, origin, sessionId, decision, closedBy } = approval;
    const shown = forStream(approval);
    const source = isOperators(decision) || closedBy !== undefined ? 'operator' : 'control';
    const draft: Draft = { sessionId, source, name, payload: { approval: shown }, write };
    if (origin !== 'api') return [draft];
    // An event would bring back a session that the operator hid.
    const isOver = name !== 'approval.requested' && approval.createdAt !== approval.settledAt;
    if (isOver && !this.#core.live.get(sessionId)) return [draft];
    // Hooks and runners show what their session waits for; for a program, this is the only sign.
    const { toolName, toolInput } = shown;
    const payload = { approvalId: id, toolName, toolInput: clip(toolInput), decision: decision?.decision };
    const told = name === 'approval.requested' ? 'api_ask.raised' : 'api_ask.settled';
    return [draft, { sessionId, source: 'control', name: told, payload }];
  }

  /** By its id, or by a program's correlation id. The id takes precedence, so no program can impersonate another's approval. */
  find(key: string): Approval {
    const byId = this.#pending.get(key) ?? this.#rows.get(key);
    return byId ?? this.byCorrelation({ origin: 'api', correlationId: key }) ?? this.get(key);
  }

  get(id: string): Approval {
    const approval = this.#pending.get(id) ?? this.#undelivered.get(id) ?? this.#rows.get(id);
    if (!approval) throw unknownApproval(id);
    return approval;
  }

  list(filter: ApprovalFilter): Approval[] {
    return this.#rows.list(filter).map(forStream);
  }

  pending(): Iterable<Approval> {
    return this.#pending.values();
  }

  /** A session's latest decisions. */
  decidedSince(sessionId: string, at: number): Approval[] {
    const latest = this.#rows.list({ sessionId, status: 'decided', newestFirst: true, limit: 10 });
    return latest.filter(({ decision }) => decision !== undefined && decision.at >= at);
  }

  /** Pending, and no decision on it is being written. */
  *undecided(): Generator<Approval> {
    for (const approval of this.#pending.values()) if (!this.#settling.has(approval.id)) yield approval;
  }
}

/** Rules, policies, stops and timeouts decide in the operator's name, but not by hand. */
function isOperators(decision: Decision | undefined): boolean {
  return decision !== undefined && !['rule', 'policy', 'stop', 'timeout'].includes(decision.by);
}

function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

export const unknownApproval = (id: string): DomainError =>
  new DomainError('approval.unknown', 404, `No approval ${id}. GET /api/approvals lists them.`);
