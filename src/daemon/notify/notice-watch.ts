import { randomUUID } from 'node:crypto';
import type { Approval } from '../../contract/approvals.ts';
import type { LiveSession } from '../../contract/sessions.ts';
import type { Channels } from './channels.ts';
import { describeApproval, describeOutcome, describeWait, type NoticeText } from './describe-notice.ts';
import type { Notice, NoticeRows } from './notice-rows.ts';
import { type Outbox, wants } from './outbox.ts';

export interface NoticeWatchOptions {
  notices: NoticeRows;
  channels: Channels;
  outbox: Outbox;
  pending: () => Iterable<Approval>;
  approval: (id: string) => Approval;
  sessions: () => Iterable<LiveSession>;
  session: (id: string) => LiveSession | undefined;
  isBlind: (approval: Approval) => boolean;
  settleMs: number;
  now: () => number;
  /** Runs `work` in one transaction. */
  atomically: (work: () => void) => void;
}

/** A client shows its dialog a little longer after it was answered, for seconds on a busy machine. That dialog needs no one. */
const ANSWERED_MS = 30_000;

/**
 * Compares what needs the operator now with what was announced: raises new notices and settles finished ones. It reads the state instead of
 * following events, so a restart at any point neither loses nor repeats a notice.
 */
export class NoticeWatch {
  readonly #options: NoticeWatchOptions;
  readonly #open: Map<string, Notice>;
  /** When each session last had a request that could be answered here. */
  readonly #askedAt = new Map<string, number>();

  constructor(options: NoticeWatchOptions) {
    this.#options = options;
    this.#open = new Map(options.notices.open().map((notice) => [notice.about, notice]));
  }

  check(): void {
    const { channels } = this.#options;
    // no channels: skip looking through the sessions
    if (this.#open.size === 0 && channels.all()[Symbol.iterator]().next().done) return;
    const current = new Set<string>();
    const asking = new Set<string>();
    for (const approval of this.#options.pending()) {
      asking.add(approval.sessionId);
      this.#askedAt.set(approval.sessionId, this.#options.now());
      current.add(aboutApproval(approval.id));
      this.#considerApproval(approval);
    }
    for (const session of this.#options.sessions()) {
      if (session.attention !== 'settled' || session.agentState.group !== 'needs_you' || asking.has(session.id))
        continue;
      current.add(aboutWait(session));
      if (!this.#wasJustAnswered(session.id)) this.#considerWait(session);
    }
    for (const [about, notice] of this.#open) if (!current.has(about)) this.#settle(notice);
  }

  #wasJustAnswered(sessionId: string): boolean {
    const askedAt = this.#askedAt.get(sessionId);
    if (askedAt === undefined) return false;
    const passed = this.#options.now() - askedAt;
    // negative if the clock was set back
    if (passed >= 0 && passed < ANSWERED_MS) return true;
    this.#askedAt.delete(sessionId);
    return false;
  }

  #considerApproval(approval: Approval): void {
    const { now, settleMs, session, isBlind } = this.#options;
    // a held decision counts as a decision, even though it can still be undone
    if (approval.held || now() - approval.createdAt < settleMs) return;
    const about = aboutApproval(approval.id);
    if (this.#isKnown(about)) return;
    const shown = session(approval.sessionId);
    const text = describeApproval(approval, shown);
    this.#raise({
      about,
      text,
      sessionId: approval.sessionId,
      session: shown,
      approvalId: approval.id,
      blind: isBlind(approval),
    });
  }

  #considerWait(session: LiveSession): void {
    const about = aboutWait(session);
    if (this.#isKnown(about)) return;
    const text = describeWait(session);
    this.#raise({ about, text, sessionId: session.id, session, approvalId: undefined, blind: false });
  }

  #isKnown(about: string): boolean {
    return this.#open.has(about) || this.#options.notices.isKnown(about);
  }

  #raise({ about, text, sessionId, session, approvalId, blind }: Raised): void {
    const { notices, channels, outbox, now, atomically } = this.#options;
    const notice: Notice = {
      id: randomUUID(),
      about,
      ...text,
      sessionId,
      approvalId,
      project: session?.projectDisplayName,
      projectPath: session?.projectPath ?? undefined,
      blind,
      raisedAt: now(),
      settledAt: undefined,
      outcome: undefined,
    };
    if (![...channels.all()].some((channel) => wants(channel, notice, channels.limitOf(channel)))) return;
    atomically(() => {
      notices.insert(notice);
      outbox.raise(notice);
    });
    this.#open.set(about, notice);
  }

  #settle(notice: Notice): void {
    const { notices, outbox, now, atomically } = this.#options;
    const outcome = this.#outcomeOf(notice);
    const settledAt = now();
    atomically(() => {
      notices.settle(notice.id, settledAt, outcome);
      outbox.settle({ ...notice, settledAt, outcome });
    });
    this.#open.delete(notice.about);
  }

  #outcomeOf({ approvalId }: Notice): string {
    return approvalId === undefined ? 'No longer needed' : describeOutcome(this.#options.approval(approvalId));
  }
}

interface Raised {
  about: string;
  text: NoticeText;
  sessionId: string;
  session: LiveSession | undefined;
  approvalId: string | undefined;
  blind: boolean;
}

const aboutApproval = (id: string) => `approval ${id}`;

/** Distinguishes two waits of one session. */
const aboutWait = ({ id, stateSince, agentState }: LiveSession) => `session ${id} ${agentState.state} ${stateSince}`;
