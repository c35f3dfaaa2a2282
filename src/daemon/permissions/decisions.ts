import type { Approval, DecisionRequest, DecisionResult } from '../../contract/approvals.ts';
import { ApprovalAlreadySettled } from '../approvals/already-settled.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { checkDecision } from '../approvals/check-decision.ts';
import { DomainError } from '../errors.ts';
import type { Rules } from '../rules/rules.ts';
import type { Judge } from './judge.ts';

export interface DecisionsOptions {
  approvals: Approvals;
  rules: Rules;
  judge: Judge;
  /** How long a decision can be undone. 0: undoable decisions take effect immediately, too. */
  windowMs: () => number;
  now: () => number;
  onError: (error: unknown) => void;
}

interface Held {
  request: DecisionRequest;
  by: string;
  timer: NodeJS.Timeout;
}

/** The operator's decisions: effective immediately, or held for the few seconds in which they can be undone. */
export class Decisions {
  readonly #options: DecisionsOptions;
  readonly #held = new Map<string, Held>();

  constructor(options: DecisionsOptions) {
    this.#options = options;
    for (const { id, held } of [...options.approvals.pending()]) if (held) this.#release(id, held.by);
  }

  /**
   * Takes effect immediately. An "always" is written in one transaction with its rule and every other pending approval the rule decides,
   * so it is never half done.
   */
  async decide(
    id: string,
    { remember, undoable: _, ...request }: DecisionRequest,
    by: string,
  ): Promise<DecisionResult> {
    const { approvals, rules, judge } = this.#options;
    if (!remember) return approvals.decide(id, request, by);
    const { rule, draft, compiled } = rules.prepare(remember, by);
    let alsoSettled: string[] = [];
    const approval = await approvals.decide(id, request, by, () => {
      const byRule = judge.decidedBy(compiled()).filter((other) => other.approval.id !== id);
      alsoSettled = byRule.map((other) => other.approval.id);
      return { drafts: [draft], byRule };
    });
    rules.adopt(rule);
    return { ...approval, rule, ...(alsoSettled.length > 0 ? { alsoSettled } : {}) };
  }

  /**
   * Announced when this resolves, and effective when the window closes, unless it is undone or someone else is first. The agent waits that
   * much longer, because an answer it received can't be taken back. If the daemon is killed meanwhile, the approval is pending again.
   */
  async decideUndoably(id: string, request: DecisionRequest, by: string): Promise<DecisionResult> {
    const { approvals, windowMs, now } = this.#options;
    const ms = windowMs();
    const approval = approvals.get(id);
    if (this.#held.has(id)) throw new ApprovalAlreadySettled(approval);
    if (ms === 0 || approval.status !== 'pending') return this.decide(id, request, by);
    // Reject an invalid decision now, while the operator is still looking.
    checkDecision(approval, request);
    const timer = setTimeout(() => void this.#closeWindow(id), ms);
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
    for (const id of [...this.#held.keys()]) await this.#closeWindow(id);
  }

  async #closeWindow(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (!held) return;
    clearTimeout(held.timer);
    this.#held.delete(id);
    try {
      await this.decide(id, held.request, held.by);
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
