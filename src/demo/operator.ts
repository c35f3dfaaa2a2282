import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.ts';
import type { Approval, DecisionRequest } from '../contract/approvals.ts';
import { decideApproval, listApprovals } from '../contract/routes/approvals.ts';
import { getSession } from '../contract/routes/sessions.ts';

const POLL_MS = 10;
const ATTEMPTS = 2000;

/** Decides what was asked before the user arrived, through the same API they will use. */
export class Operator {
  readonly #api: Client;

  constructor(api: Client) {
    this.#api = api;
  }

  async decide({ id }: Approval, decision: DecisionRequest): Promise<void> {
    await this.#api.call(decideApproval, { params: { id }, body: decision });
  }

  /** This session's request, as soon as it exists. */
  async find(sessionId: string): Promise<Approval> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { approvals } = await this.#api.call(listApprovals, { query: { status: 'pending', sessionId } });
      const [first] = approvals;
      if (first) return first;
      await sleep(POLL_MS);
    }
    throw new Error(`Session ${sessionId} has no request.`);
  }

  /** Some changes have no hook: the daemon notices them the next time it checks. */
  async untilShown(sessionId: string, state: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { agentState } = await this.#api.call(getSession, { params: { id: sessionId } });
      if (agentState.state === state) return;
      await sleep(POLL_MS);
    }
    throw new Error(`Session ${sessionId} was never ${state}.`);
  }
}
