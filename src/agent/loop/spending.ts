import type { Cost } from '../../contract/usage.ts';
import type { RequestUsage } from './usage.ts';

/** Tracks what requests cost and whether another one may be sent. Shared with subagents, which spend from the same budget. */
export interface Spending {
  /** undefined: the model has no known price. */
  spend(model: string, usage: RequestUsage): Cost | undefined;
  /** Checked before each request, not after it. False: the operator wants the turn to end here. */
  admits(signal: AbortSignal): Promise<boolean>;
}
