import type { Approval, DecisionRequest } from '../contract/approvals.ts';
import type { DemoClock } from './clock.ts';

/** Calls the API as the person at this machine. */
export type CallApi = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<unknown>;

const LOOKS = 200;

/** Decides what was asked before the newcomer came, through the same API as they will. */
export class Operator {
  readonly #call: CallApi;
  readonly #clock: DemoClock;

  constructor(call: CallApi, clock: DemoClock) {
    this.#call = call;
    this.#clock = clock;
  }

  /** Once this session asks something, after this long. */
  async decide(
    sessionId: string,
    decision: DecisionRequest,
    { afterSeconds }: { afterSeconds: number },
  ): Promise<void> {
    const approval = await this.#find(sessionId);
    await this.#clock.until(approval.createdAt + afterSeconds * 1000);
    await this.#call('POST', `/api/approvals/${approval.id}/decision`, decision);
  }

  async #find(sessionId: string): Promise<Approval> {
    for (let look = 0; look < LOOKS; look++) {
      const list = await this.#call('GET', `/api/approvals?status=pending&sessionId=${sessionId}`);
      const [first] = (list as { approvals: Approval[] }).approvals;
      if (first) return first;
      await new Promise((next) => setTimeout(next, 10));
    }
    throw new Error(`Session ${sessionId} asked nothing.`);
  }
}
