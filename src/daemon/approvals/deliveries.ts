import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent } from '../../contract/agent-events.ts';
import type { Approval } from '../../contract/approvals.ts';
import type { Core } from '../core.ts';
import type { TranslatedEvent } from '../sessions/translated-event.ts';
import type { Approvals } from './approvals.ts';
import { type AttachedAsker, returnsWithinMs } from './askers.ts';
import { ANSWERED_FIRST, type CallEvidence, type Proven, provenBy } from './delivery-proof.ts';

/** A sent answer is proven within a fraction of a second; under load it may take longer. */
const CONFIRM_MS = 10_000;
/** A polling program comes back whenever it likes. */
const POLL_MS = 120_000;
/** A client reports a closed dialog up to 0.1 s later, and a call allowed at the keyboard may have run by then. */
const TOLD_MS = 250;
/** The client writes a refusal down within a quarter of a second, so a call without one by then was allowed. */
const UNREFUSED_MS = 700;
/** The client reports that a call ran a moment before it writes down who allowed it. */
const WRITTEN_MS = 2000;
/** Esc on a dialog also arrives when the whole client exits, and then that is the actual cause. */
const LEAVING_MS = 400;
const LOOK_MS = 250;
/** How often to look for the proof of a decision that was sent. */
const PROVE_MS = 50;
/** How often to look whether a call that is still running was refused after all, and how many times. */
const RECHECK_MS = 1000;
const RECHECKS = 10;
/** A decision reaches its terminal within milliseconds. The decider is told its status after this at the latest. */
const OUTCOME_MS = 3000;
/** How many decisions to remember whose call may still show that they had no effect. */
const REMEMBERED = 1000;

export const NOT_DELIVERED = {
  ...ANSWERED_FIRST,
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

/** A dialog, according to its client right now. */
export interface DialogNow {
  isOpen: boolean;
  /** undefined: it is open, or it was never seen open. */
  closedAt: number | undefined;
  /** The client does nothing: a call that it allowed has run by then. */
  isIdle: boolean;
}

/** Reads what the client has written down about an approval's calls so far. undefined: it writes nothing down. */
export type ReadEvidence = () => Promise<CallEvidence[] | undefined>;

export interface DeliveriesOptions {
  core: Core;
  approvals: Approvals;
  /** The dialog of a call that started at `since`, and that was open `at` this time. */
  lookAtDialog: (pid: number, asked: { since: number; at: number }) => Promise<DialogNow>;
  evidenceOf: (approval: Approval, askers: readonly AttachedAsker[]) => ReadEvidence;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * Follows each decision until its outcome is known. What the client writes down about the call proves it: which hook it listened to, and what
 * the agent was told. Until then the decision is on its way, however surely it was sent.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  /** By approval: when its answer was first sent, … */
  readonly #sentAt = new Map<string, number>();
  /** … when the client had it, … */
  readonly #passedOnAt = new Map<string, number>();
  /** … and when the client reported that its call ran. */
  readonly #ranAt = new Map<string, number>();
  /** Allowed with another input or by the keyboard, and running. */
  readonly #running = new Set<string>();
  readonly #proving = new Set<string>();
  /** Their session has ended. */
  readonly #ending = new Set<string>();
  /** By call: delivered denials. */
  readonly #denied = new Map<string, string>();
  /** By call: allowed, as far as the client's dialog tells. */
  readonly #allowed = new Map<string, () => Promise<void>>();
  readonly #waiters = new Map<string, Set<AbortController>>();
  #isStopped = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    options.core.observe((event) => this.#observe(event));
    // The client may have taken them before the last daemon ended.
    for (const { id } of options.approvals.undelivered()) this.#prove(id).catch(options.onError);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** The answer is on its way to this hook. */
  sent(approvalId: string, { asker, onSent }: Sending): void {
    const { now, onError } = this.#options;
    if (!this.#sentAt.has(approvalId)) this.#sentAt.set(approvalId, now());
    this.#prove(approvalId).catch(onError);
    // A process confirms on its own once it has passed the answer on.
    if (asker) return;
    onSent?.((isSent) => {
      if (isSent) this.#passedOn(approvalId, now());
      else this.#fail(approvalId, NOT_DELIVERED.unheard);
    });
  }

  /**
   * A hook process has printed the answer, and `release` lets it end. The time is noted first: on a busy machine we may not get to it before
   * the client has closed the dialog, and the keyboard would be said to have closed it.
   */
  confirmed(key: string, release: () => void): void {
    const { approvals, now } = this.#options;
    const at = now();
    release();
    const asker = approvals.findAsker(key);
    if (asker) this.#passedOn(asker.approvalId, at);
  }

  #passedOn(id: string, at: number): void {
    const { approvals, onError } = this.#options;
    if (approvals.get(id).delivery?.state !== 'pending') return;
    this.#passedOnAt.set(id, at);
    this.#prove(id).catch(onError);
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

  /** Looks for the proof of a decision until there is some, or until `#look` gives up. */
  async #prove(id: string): Promise<void> {
    const { approvals, evidenceOf } = this.#options;
    if (this.#proving.has(id)) return;
    this.#proving.add(id);
    try {
      const read = evidenceOf(approvals.get(id), approvals.askersOf(id));
      while (!this.#isStopped) {
        const approval = approvals.get(id);
        if (approval.origin !== 'hook' || approval.delivery?.state !== 'pending') return;
        const evidence = await read();
        const proven = evidence && provenBy(approval, evidence);
        const shown = proven ?? (await this.#shownByDialog(approval, { isWritten: evidence !== undefined }));
        if (shown) await approvals.deliver(id, shown);
        if (shown && evidence && !proven) this.#recheck(approval, read);
        if (shown) return;
        await sleep(PROVE_MS, undefined, { ref: false });
      }
    } finally {
      this.#proving.delete(id);
      // Another call with the same input may have asked after the first was answered.
      if (approvals.get(id).delivery?.state !== 'pending') this.#forget(id);
    }
  }

  /** What the dialog tells, where the client doesn't write the outcome down or the call is still running. undefined: nothing yet. */
  async #shownByDialog(approval: Approval, { isWritten }: { isWritten: boolean }): Promise<Proven | undefined> {
    const { lookAtDialog, now } = this.#options;
    const { id, decision } = approval;
    const isDenial = decision?.decision === 'deny';
    const ranAt = this.#ranAt.get(id);
    if (ranAt !== undefined && !isDenial && (!isWritten || now() - ranAt > WRITTEN_MS)) return { state: 'delivered' };
    const passedOnAt = this.#passedOnAt.get(id);
    // A denial is written down at once, and so is what overruled it.
    if (passedOnAt === undefined || (isWritten && isDenial)) return undefined;
    const dialog = this.#dialogOf(approval);
    const waitMs = isWritten ? (isOnlyOurs(approval) ? 0 : UNREFUSED_MS) : dialog ? TOLD_MS : 0;
    if (now() - passedOnAt < waitMs) return undefined;
    if (!dialog) return { state: 'delivered' };
    const { isOpen, closedAt, isIdle } = await lookAtDialog(dialog.pid, dialog);
    // The client takes the answer once it was passed on, so whatever closed the dialog before was the keyboard.
    if (closedAt !== undefined && closedAt < passedOnAt) return { state: 'not_delivered', why: NOT_DELIVERED.keyboard };
    if (isOpen || (isWritten && isIdle)) return undefined;
    // A Yes at the keyboard would run it as it was, which shows only in the end.
    if (isWritten && isChanged(approval)) this.#running.add(id);
    return this.#running.has(id) ? undefined : { state: 'delivered' };
  }

  /** The dialog that the keyboard may have answered first. The client keeps running a hook it no longer listens to. */
  #dialogOf(approval: Approval): { pid: number; since: number; at: number } | undefined {
    const { core, approvals, now } = this.#options;
    const { id, sessionId, releaseTo, decision, createdAt } = approval;
    // These have no dialog while we hold them.
    if (releaseTo !== undefined) return undefined;
    const [asker, ...others] = approvals.askersOf(id);
    // Of calls with the same input, one may have been answered there and another not.
    if (others.length > 0) return undefined;
    const session = core.live.get(sessionId);
    const pid = asker?.pid ?? session?.process?.pid;
    if (pid === undefined || pid === null) return undefined;
    // the dialog may be on the screen before we are asked, and the call is forgotten once it is over
    const call = session?.main.calls.find((one) => one.id !== null && one.id === asker?.toolUseId);
    return { pid, since: call?.startedAt ?? createdAt, at: this.#sentAt.get(id) ?? decision?.at ?? now() };
  }

  /** The call is still running, so the client's last word is missing: the decision is corrected if that differs. */
  #recheck(approval: Approval, read: ReadEvidence): void {
    const { approvals, onError } = this.#options;
    const { id } = approval;
    const check = async () => {
      const proven = provenBy(approval, (await read()) ?? [], { hasStarted: true });
      if (proven?.state === 'not_delivered') await approvals.deliver(id, proven);
    };
    for (const { toolUseId } of approvals.askersOf(id)) if (toolUseId) remember(this.#allowed, toolUseId, check);
    const recheck = async () => {
      for (let count = 0; count < RECHECKS && !this.#isStopped; count++) {
        await sleep(RECHECK_MS, undefined, { ref: false });
        await check();
      }
    };
    recheck().catch(onError);
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
      if (approval.sessionId === sessionId && approval.origin !== 'api') this.#onEnd(approval);
  }

  /** A headless client ends right after a denial, and its last lines may still be on their way to the file. */
  #onEnd({ id, origin }: Approval): void {
    if (origin !== 'hook') this.#fail(id, NOT_DELIVERED.ended);
    if (origin !== 'hook' || this.#ending.has(id)) return;
    this.#ending.add(id);
    const { approvals, onError } = this.#options;
    this.#prove(id).catch(onError);
    const giveUp = () => {
      this.#ending.delete(id);
      if (approvals.get(id).delivery?.state === 'pending') this.#fail(id, NOT_DELIVERED.ended);
    };
    sleep(WRITTEN_MS, undefined, { ref: false })
      .then(() => this.#isStopped || giveUp())
      .catch(onError);
  }

  #onAgent(sessionId: string, event: AgentEvent): void {
    const hasRun = event.type === 'tool.ended' || event.type === 'tool.failed';
    if (hasRun && event.call.id !== undefined) this.#onRun(sessionId, event.call.id);
  }

  #note({ id, decision, delivery }: Approval): void {
    if (!delivery || delivery.state === 'pending') return;
    this.#forget(id);
    if (delivery.state === 'delivered' && decision?.decision === 'deny') {
      for (const { toolUseId } of this.#options.approvals.askersOf(id))
        if (toolUseId) remember(this.#denied, toolUseId, id);
    }
    const waiters = this.#waiters.get(id);
    this.#waiters.delete(id);
    for (const known of waiters ?? []) known.abort();
  }

  #forget(id: string): void {
    for (const noted of [this.#sentAt, this.#passedOnAt, this.#ranAt, this.#running]) noted.delete(id);
  }

  /** The call ran: a denial wasn't delivered, and the client is about to write down who allowed it. */
  #onRun(sessionId: string, toolUseId: string): void {
    const { approvals, now, onError } = this.#options;
    const denied = this.#denied.get(toolUseId);
    if (denied !== undefined) {
      this.#denied.delete(toolUseId);
      this.#fail(denied, NOT_DELIVERED.ran);
    }
    const check = this.#allowed.get(toolUseId);
    this.#allowed.delete(toolUseId);
    if (check) sleep(WRITTEN_MS, undefined, { ref: false }).then(check).catch(onError);
    for (const { id, sessionId: of, decision } of [...approvals.undelivered()]) {
      if (of !== sessionId || !approvals.askersOf(id).some((asker) => asker.toolUseId === toolUseId)) continue;
      if (decision?.decision === 'deny') this.#fail(id, NOT_DELIVERED.ran);
      else {
        this.#ranAt.set(id, now());
        this.#prove(id).catch(onError);
      }
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
        if (waitedMs > CONFIRM_MS && !this.#running.has(id)) this.#fail(id, NOT_DELIVERED.unconfirmed);
      } else if (waitedMs > returnsWithinMs(approvals.askersOf(id))) this.#fail(id, NOT_DELIVERED.unheard);
    }
  }
}

/** Nobody else can answer it while we hold it. */
const isOnlyOurs = ({ releaseTo }: Approval): boolean => releaseTo === 'client' || releaseTo === 'terminal';

const isChanged = ({ decision }: Approval): boolean =>
  decision?.updatedInput !== undefined || decision?.answers !== undefined;

function remember<T>(all: Map<string, T>, key: string, value: T): void {
  all.set(key, value);
  if (all.size > REMEMBERED) all.delete(all.keys().next().value!);
}
