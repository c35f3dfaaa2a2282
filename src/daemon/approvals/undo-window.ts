import type { Approval, DecisionRequest, DecisionResult } from '../../contract/approvals.ts';
import { DomainError } from '../errors.ts';
import { ApprovalAlreadySettled } from './already-settled.ts';
import type { Approvals } from './approvals.ts';
import { checkDecision } from './check-decision.ts';

export interface UndoOptions {
  approvals: Approvals;
  carryOut: (id: string, request: DecisionRequest, by: string) => Promise<DecisionResult>;
  /** 0: decisions take effect immediately. */
  windowMs: () => number;
  now: () => number;
  onError: (error: unknown) => void;
}

interface Held {
  request: DecisionRequest;
  by: string;
  timer: NodeJS.Timeout;
}

/**
 * Holds decisions for the few seconds in which they can be undone. The agent waits that much longer, because an answer it received can't be
 * taken back. A decision held when the daemon is killed is lost, and its approval is pending again.
 */
export class UndoWindow {
  readonly #options: UndoOptions;
  readonly #held = new Map<string, Held>();

  constructor(options: UndoOptions) {
    this.#options = options;
    for (const { id, held } of [...options.approvals.pending()]) if (held) this.#release(id, held.by);
  }

  /** Announced when this resolves. Takes effect when its time is up, unless it is undone or someone else is first. */
  async decide(id: string, request: DecisionRequest, by: string): Promise<DecisionResult> {
    const { approvals, carryOut, windowMs, now } = this.#options;
    const ms = windowMs();
    const approval = approvals.get(id);
    if (this.#held.has(id)) throw new ApprovalAlreadySettled(approval);
    if (ms === 0 || approval.status !== 'pending') return carryOut(id, request, by);
    // Reject an invalid decision now, while the operator is still looking.
    checkDecision(approval, request);
    const timer = setTimeout(() => void this.#carryOut(id), ms);
    this.#held.set(id, { request, by, timer });
    try {
      return await approvals.hold(id, { decision: request.decision, by, until: now() + ms }, by);
    } catch (error) {
      clearTimeout(timer);
      this.#held.delete(id);
      throw error;
    }
  }

  async undo(id: string, by: string): Promise<Approval> {
    const approval = this.#options.approvals.get(id);
    const held = this.#held.get(id);
    if (approval.status !== 'pending') throw new ApprovalAlreadySettled(approval);
    if (!held) throw new DomainError('approval.nothing_to_undo', 409, "Nothing to undo: this hasn't been decided yet.");
    clearTimeout(held.timer);
    this.#held.delete(id);
    return this.#options.approvals.hold(id, undefined, by);
  }

  /** The daemon is stopping, so decisions take effect now. */
  async flush(): Promise<void> {
    for (const id of [...this.#held.keys()]) await this.#carryOut(id);
  }

  async #carryOut(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (!held) return;
    clearTimeout(held.timer);
    this.#held.delete(id);
    try {
      await this.#options.carryOut(id, held.request, held.by);
    } catch (error) {
      // Someone else, or the terminal, was first.
      if (error instanceof ApprovalAlreadySettled) return;
      this.#options.onError(error);
      this.#release(id, held.by);
    }
  }

  #release(id: string, by: string): void {
    const { approvals, onError } = this.#options;
    approvals.hold(id, undefined, by).catch((error: unknown) => {
      if (!(error instanceof ApprovalAlreadySettled)) onError(error);
    });
  }
}
