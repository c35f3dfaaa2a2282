import type { Cost } from '../../contract/usage.ts';
import type { RequestUsage } from './usage.ts';

/** Counts what requests cost and says whether another one may be sent. Shared with subagents: they spend the same money. */
export interface Spending {
  /** undefined: the model has no known price. */
  spend(model: string, usage: RequestUsage): Cost | undefined;
  /** Asked before each request, not after it. False: the operator wants the turn to end here. */
  admits(signal: AbortSignal): Promise<boolean>;
}
