import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../contract/agent-events.ts';
import type { Approval } from '../../contract/approvals.ts';
import type { Core } from '../core.ts';
import type { TranslatedEvent } from '../sessions/translated-event.ts';
import type { Approvals } from './approvals.ts';
import { type AttachedAsker, returnsWithinMs } from './askers.ts';

/** A sent answer is confirmed within milliseconds; under load it may take longer. */
const CONFIRM_MS = 10_000;
/** A polling program comes back whenever it likes. */
const POLL_MS = 120_000;
/** A client reports a closed dialog up to 0.1 s later, and a call allowed at the keyboard may have run by then. */
const TOLD_MS = 250;
/** Esc on a dialog also arrives when the whole client exits, and then that is the actual cause. */
const LEAVING_MS = 400;
const LOOK_MS = 250;
/** A decision reaches its terminal within milliseconds. The decider is told its status after this at the latest. */
const OUTCOME_MS = 3000;
/** How many denials to remember, to notice a call that ran anyway. */
const REMEMBERED = 1000;

export const NOT_DELIVERED = {
  keyboard: 'It was answered in the terminal first.',
  ran: 'It was allowed in the terminal first.',
  closed: 'Its dialog was closed in the terminal first.',
  ended: 'The session ended first.',
  unheard: 'Its dialog stopped listening. Answer it in the terminal.',
  unconfirmed: "The terminal didn't confirm it. If its dialog is still open, answer it there.",
  uncollected: 'The program that asked never came back for it.',
} as const;

/** How an answer is sent. */
interface Sending {
  /** A waiting process, which confirms once it has passed the answer on. */
  asker?: object | undefined;
  /** Called when it was sent; false: the connection broke first. */
  onSent?: ((listener: (isSent: boolean) => void) => void) | undefined;
}

export interface DeliveriesOptions {
  core: Core;
  approvals: Approvals;
  /** When the dialog of a call that started at `since`, and that was open `at` this time, was closed, according to the client. */
  dialogClosedAt: (pid: number, asked: { since: number; at: number }) => Promise<number | undefined>;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * Follows each decision until its outcome is known. A hook process confirms what it passed on; an HTTP hook has it once it is sent; and the
 * call's own outcome outranks both. What can't be shown to have arrived is never called delivered.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  /** By approval: when its answer was first sent. */
  readonly #sentAt = new Map<string, number>();
  /** By call: delivered denials. */
  readonly #denied = new Map<string, string>();
  readonly #waiters = new Map<string, Set<AbortController>>();

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    options.core.observe((event) => this.#observe(event));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The answer is on its way to this hook. */
  sent(approvalId: string, { asker, onSent }: Sending): void {
    const { now, onError } = this.#options;
    if (!this.#sentAt.has(approvalId)) this.#sentAt.set(approvalId, now());
    // A process confirms on its own once it has passed the answer on.
    if (asker) return;
    onSent?.((isSent) => {
      if (isSent) this.#confirm(approvalId, { at: now() }).catch(onError);
      else this.#fail(approvalId, NOT_DELIVERED.unheard);
    });
  }

  /**
   * A hook process has printed the answer, and `release` lets it end. The time is noted first: on a busy machine we may not get to it before
   * the client has closed the dialog, and the keyboard would be said to have closed it.
   */
  async confirmed(key: string, release: () => void): Promise<void> {
    const at = this.#options.now();
    release();
    const asker = this.#options.approvals.findAsker(key);
    if (asker) await this.#confirm(asker.approvalId, { asker, at });
  }

  /** A program that asked through the API has received the answer. */
  collected(approvalId: string): void {
    this.#options.approvals.deliver(approvalId, { state: 'delivered' }).catch(this.#options.onError);
  }

  /** The client ended a hook process: its dialog closed, or the client is exiting. */
  async closed(key: string): Promise<void> {
    const { approvals, core } = this.#options;
    const asker = approvals.findAsker(key);
    if (!asker) return;
    const { id, sessionId, status } = approvals.get(asker.approvalId);
    // What was printed at that moment wasn't read.
    if (status === 'decided') return approvals.deliver(id, { state: 'not_delivered', why: NOT_DELIVERED.closed });
    await sleep(LEAVING_MS);
    const session = core.live.get(sessionId);
    // Another call with the same input may still have its dialog open.
    if (approvals.isWaitedFor(id)) return;
    await approvals.close(id, !session || session.endedAt !== null ? 'cancelled' : 'answered_in_terminal');
  }

  /** The approval once its outcome is known, or as it is after a while. A polling program may come back much later. */
  async outcome(id: string, { isAttended }: { isAttended: boolean }): Promise<Approval> {
    const { approvals } = this.#options;
    const approval = approvals.get(id);
    if (approval.delivery?.state !== 'pending' || (approval.origin === 'api' && !isAttended)) return approval;
    const known = new AbortController();
    const waiters = this.#waiters.get(id) ?? new Set();
    this.#waiters.set(id, waiters.add(known));
    await sleep(OUTCOME_MS, undefined, { signal: known.signal }).catch(() => undefined);
    waiters.delete(known);
    return approvals.get(id);
  }

  /** `at`: the client takes the answer after this, so whatever closed the dialog before was the keyboard. */
  async #confirm(id: string, { asker, at }: { asker?: AttachedAsker; at: number }): Promise<void> {
    const { approvals } = this.#options;
    const approval = approvals.get(id);
    if (approval.delivery?.state !== 'pending') return;
    const dialog = this.#dialogOf(approval, asker);
    if (dialog) await sleep(TOLD_MS);
    if (approvals.get(id).delivery?.state !== 'pending') return;
    const closedAt = dialog && (await this.#options.dialogClosedAt(dialog.pid, dialog));
    const isTooLate = closedAt !== undefined && closedAt < at;
    if (isTooLate) return approvals.deliver(id, { state: 'not_delivered', why: NOT_DELIVERED.keyboard });
    await approvals.deliver(id, { state: 'delivered' });
  }

  /** The dialog that the keyboard may have answered first. The client keeps running a hook it no longer listens to. */
  #dialogOf(approval: Approval, asker?: AttachedAsker): { pid: number; since: number; at: number } | undefined {
    const { core, approvals, now } = this.#options;
    const { id, sessionId, agentId, kind, decision, createdAt } = approval;
    // These have no dialog while we hold them.
    if (agentId !== undefined || kind === 'elicitation') return undefined;
    // Of calls with the same input, one may have been answered there and another not.
    if (approvals.askersOf(id).length > 1) return undefined;
    const session = core.live.get(sessionId);
    const pid = asker?.pid ?? session?.process?.pid;
    if (pid === undefined || pid === null) return undefined;
    // the dialog may be on the screen before we are asked, and the call is forgotten once it is over
    const call = session?.main.calls.find((one) => one.id !== null && one.id === asker?.toolUseId);
    return { pid, since: call?.startedAt ?? createdAt, at: this.#sentAt.get(id) ?? decision?.at ?? now() };
  }

  #fail(id: string, why: string): void {
    this.#options.approvals.deliver(id, { state: 'not_delivered', why }).catch(this.#options.onError);
  }

  #observe({ agent, source, name, sessionId, payload }: TranslatedEvent): void {
    for (const event of agent) this.#onAgent(sessionId, event);
    if (source !== 'hook' && name.startsWith('approval.') && payload.approval) this.#note(payload.approval as Approval);
    const session = this.#options.core.live.get(sessionId);
    if (session && session.endedAt === null) return;
    for (const approval of [...this.#options.approvals.undelivered()])
      if (approval.sessionId === sessionId && approval.origin !== 'api') this.#fail(approval.id, NOT_DELIVERED.ended);
  }

  #onAgent(sessionId: string, event: AgentEvent): void {
    const hasRun = event.type === 'tool.ended' || event.type === 'tool.failed';
    if (hasRun && event.call.id !== undefined) this.#onRun(sessionId, event.call.id);
  }

  #note({ id, decision, delivery }: Approval): void {
    if (!delivery || delivery.state === 'pending') return;
    this.#sentAt.delete(id);
    if (delivery.state === 'delivered' && decision?.decision === 'deny') {
      for (const { toolUseId } of this.#options.approvals.askersOf(id)) if (toolUseId) this.#remember(toolUseId, id);
    }
    const waiters = this.#waiters.get(id);
    this.#waiters.delete(id);
    for (const known of waiters ?? []) known.abort();
  }

  #remember(toolUseId: string, id: string): void {
    this.#denied.set(toolUseId, id);
    if (this.#denied.size > REMEMBERED) this.#denied.delete(this.#denied.keys().next().value!);
  }

  /** The call ran: an allow was delivered, and a denial wasn't. */
  #onRun(sessionId: string, toolUseId: string): void {
    const { approvals, onError } = this.#options;
    const denied = this.#denied.get(toolUseId);
    if (denied !== undefined) {
      this.#denied.delete(toolUseId);
      this.#fail(denied, NOT_DELIVERED.ran);
    }
    for (const { id, sessionId: of, decision } of [...approvals.undelivered()]) {
      if (of !== sessionId || !approvals.askersOf(id).some((asker) => asker.toolUseId === toolUseId)) continue;
      if (decision?.decision === 'allow') approvals.deliver(id, { state: 'delivered' }).catch(onError);
      else this.#fail(id, NOT_DELIVERED.ran);
    }
  }

  /** What isn't confirmed in time counts as not delivered. */
  #look(): void {
    const { approvals, now } = this.#options;
    for (const { id, origin, decision } of [...approvals.undelivered()]) {
      // it comes back for it, however long it was away
      if (origin === 'runner') continue;
      const sentAt = this.#sentAt.get(id);
      const waitedMs = now() - Math.max(decision?.at ?? 0, this.#startedAt, sentAt ?? 0);
      if (origin === 'api') {
        if (waitedMs > POLL_MS) this.#fail(id, NOT_DELIVERED.uncollected);
      } else if (sentAt !== undefined) {
        if (waitedMs > CONFIRM_MS) this.#fail(id, NOT_DELIVERED.unconfirmed);
      } else if (waitedMs > returnsWithinMs(approvals.askersOf(id))) this.#fail(id, NOT_DELIVERED.unheard);
    }
  }
}
