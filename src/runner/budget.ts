import type { Budget } from '../contract/orchestration.ts';
import type { RunnerVerdict } from '../contract/runners.ts';

const STOP = 'Stop here';
const NO_LIMIT = 'No limit';

/** One measure of a budget. */
type Measure = keyof Budget;
const MEASURES = ['dollars', 'tokens', 'minutes'] as const;

interface Use {
  dollars: number;
  tokens: number;
  ms: number;
}

export interface BudgetGateOptions {
  budget: Budget;
  /** Used by earlier processes of the same session. */
  before: Use;
  ask: (question: { toolInput: Record<string, unknown> }, signal: AbortSignal) => Promise<RunnerVerdict>;
  now?: () => number;
}

/**
 * Asks before the request that would exceed the budget. The cost of the next request is unknown, so the last one's is used as the estimate.
 * Subagents that reach the limit together trigger a single question.
 */
export class BudgetGate {
  readonly #options: BudgetGateOptions;
  #limits: Budget;
  #used: Use;
  #children = { dollars: 0, tokens: 0 };
  #last = { id: '', dollars: 0, tokens: 0 };
  #workingSince: number | null = null;
  #asking: Promise<boolean> | null = null;
  /** A model without a price was used, so the total cost is unknown. */
  #isUnpriced = false;

  constructor(options: BudgetGateOptions) {
    this.#options = options;
    this.#limits = options.budget;
    this.#used = { ...options.before };
  }

  get spent(): { dollars: number | null; tokens: number; ms: number } {
    const { dollars, tokens } = this.#used;
    return { dollars: this.#isUnpriced ? null : dollars, tokens, ms: this.#workedMs() };
  }

  set limits(budget: Budget) {
    this.#limits = budget;
  }

  /** Usage of one of the session's own requests, in one or more parts; null: its model has no price. */
  spend({ id, dollars, tokens }: { id: string; dollars: number | null; tokens: number }): void {
    if (dollars === null) this.#isUnpriced = true;
    const before = this.#last.id === id ? this.#last : { dollars: 0, tokens: 0 };
    this.#last = { id, dollars: before.dollars + (dollars ?? 0), tokens: before.tokens + tokens };
    this.#used.dollars += dollars ?? 0;
    this.#used.tokens += tokens;
  }

  /** Total usage of its children so far. They draw on its budget. */
  set childrenSpent(spent: { dollars: number; tokens: number }) {
    this.#children = spent;
  }

  startWork(): void {
    this.#workingSince ??= this.#now();
  }

  pauseWork(): void {
    this.#used.ms = this.#workedMs();
    this.#workingSince = null;
  }

  /** Called before each request. False: the operator wants the session to stop here. */
  async admits(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const measure = MEASURES.find((one) => this.#wouldPass(one));
      if (measure === undefined) return true;
      this.#asking ??= this.#ask(measure, signal).finally(() => {
        this.#asking = null;
      });
      if (!(await this.#asking)) return false;
    }
  }

  async #ask(measure: Measure, signal: AbortSignal): Promise<boolean> {
    const wasWorking = this.#workingSince !== null;
    this.pauseWork();
    const limit = this.#limits[measure]!;
    const more = `Allow ${amount(measure, limit)} more`;
    const question = {
      question: this.#sentence(measure, limit),
      header: 'Budget',
      multiSelect: false,
      options: [
        { label: more, description: `Up to ${amount(measure, this.#usedOf(measure) + limit)} total` },
        {
          label: NO_LIMIT,
          description: `No ${measure === 'dollars' ? 'dollar' : measure.slice(0, -1)} limit from now on`,
        },
        { label: STOP, description: 'End the turn. You can resume the session later' },
      ],
    };
    const verdict = await this.#options.ask({ toolInput: { questions: [question] } }, signal);
    if (wasWorking) this.startWork();
    if (verdict.decision !== 'allow') return false;
    const answer = answerIn(verdict.updatedInput, question.question);
    if (answer === STOP) return false;
    if (answer === NO_LIMIT) {
      const { [measure]: _, ...rest } = this.#limits;
      this.#limits = rest;
      return true;
    }
    const given = Number.parseFloat(answer.replace(/[^\d.]/g, ''));
    const added = answer === more || !(given > 0) ? limit : given;
    this.#limits = { ...this.#limits, [measure]: this.#usedOf(measure) + added };
    return true;
  }

  #sentence(measure: Measure, limit: number): string {
    const used = `This session has used ${amount(measure, this.#usedOf(measure))} of its budget of ${amount(measure, limit)}.`;
    const next = this.#nextOf(measure);
    if (this.#usedOf(measure) >= limit || next === 0) return `${used} Let it continue?`;
    return `${used} The next request takes about ${amount(measure, next)} and would go over it. Let it continue?`;
  }

  #wouldPass(measure: Measure): boolean {
    const limit = this.#limits[measure];
    return limit !== undefined && this.#usedOf(measure) + this.#nextOf(measure) > limit;
  }

  #usedOf(measure: Measure): number {
    if (measure === 'minutes') return this.#workedMs() / 60_000;
    return this.#used[measure] + this.#children[measure];
  }

  #nextOf(measure: Measure): number {
    return measure === 'minutes' ? 0 : this.#last[measure];
  }

  #workedMs(): number {
    return this.#used.ms + (this.#workingSince === null ? 0 : this.#now() - this.#workingSince);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

function amount(measure: Measure, value: number): string {
  if (measure === 'dollars') return `$${value < 0.1 ? value.toFixed(3).replace(/0$/, '') : value.toFixed(2)}`;
  if (measure === 'minutes') return `${round(value)} min`;
  return `${Math.round(value).toLocaleString('en-US')} tokens`;
}

const round = (value: number): string =>
  value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));

function answerIn(input: Record<string, unknown> | undefined, question: string): string {
  const answers = (input?.answers ?? {}) as Record<string, unknown>;
  const given = answers[question] ?? Object.values(answers)[0];
  return typeof given === 'string' ? given.trim() : '';
}
