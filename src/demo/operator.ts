import { setTimeout as sleep } from 'node:timers/promises';
import type { Approval, DecisionRequest } from '../contract/approvals.ts';
import type { LiveSession } from '../contract/sessions.ts';

/** Calls the API as the person at this machine. */
export type CallApi = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<unknown>;

const LOOK_MS = 10;
const LOOKS = 2000;

/** Decides what was asked before the newcomer came, through the same API as they will. */
export class Operator {
  readonly #call: CallApi;

  constructor(call: CallApi) {
    this.#call = call;
  }

  async decide({ id }: Approval, decision: DecisionRequest): Promise<void> {
    await this.#call('POST', `/api/approvals/${id}/decision`, decision);
  }

  /** What this session asks, when it is written. */
  async find(sessionId: string): Promise<Approval> {
    for (let look = 0; look < LOOKS; look++) {
      const list = await this.#call('GET', `/api/approvals?status=pending&sessionId=${sessionId}`);
      const [first] = (list as { approvals: Approval[] }).approvals;
      if (first) return first;
      await sleep(LOOK_MS);
    }
    throw new Error(`Session ${sessionId} has no request.`);
  }

  /** No hook tells of some changes: the daemon sees them when it looks. */
  async untilShown(sessionId: string, state: string): Promise<void> {
    for (let look = 0; look < LOOKS; look++) {
      const session = await this.#call('GET', `/api/sessions/${sessionId}`);
      if ((session as LiveSession).agentState.state === state) return;
      await sleep(LOOK_MS);
    }
    throw new Error(`Session ${sessionId} was never ${state}.`);
  }
}
