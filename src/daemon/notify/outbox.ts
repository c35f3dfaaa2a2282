import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ChannelTarget, NotificationPart } from '../../contract/notify.ts';
import type { PresenceLevel } from '../../contract/presence.ts';
import { isInProjects } from '../access/project-scope.ts';
import type { Channels, KnownChannel } from './channels.ts';
import { describeTest } from './describe-notice.ts';
import type { Notice, NoticeRows } from './notice-rows.ts';
import type { NotificationRows, StoredNotification } from './notification-rows.ts';
import type { Outgoing, Sender, Sent } from './outgoing.ts';
import { quietUntil } from './quiet-hours.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Twenty-eight hours in total, which covers a service outage overnight. */
const BACKOFF_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
];
/** Jitter, so that notifications sent together don't all retry together. */
const JITTER = 0.2;
/** How often to check whether the operator has left the page. */
const STILL_ACTIVE_MS = 10 * SECOND_MS;
const AT_ONCE = 16;
/** A smaller jump is a clock adjustment. */
const CLOCK_SET_BACK_MS = 10 * SECOND_MS;

export type Senders = { [Kind in ChannelTarget['kind']]: Sender<Kind> };

export interface OutboxOptions {
  channels: Channels;
  notices: NoticeRows;
  rows: NotificationRows;
  senders: Senders;
  presence: () => PresenceLevel;
  /** Number of open requests in these projects (empty: in all), for a badge. */
  waiting: (projects: readonly string[]) => number;
  /** The address of the page from outside this machine. */
  pageUrl: () => string;
  /** Whether a device can allow a covered request from a notification. */
  canAnswer: (deviceId: string) => boolean;
  now: () => number;
  random?: () => number;
  /** A channel changed in a way that a page may show. */
  onChange: () => void;
  onGivenUp: (notification: StoredNotification, channel: KnownChannel) => void;
  onError: (error: unknown) => void;
}

/** Sends notifications when they are due, retries failures, and tracks the outcome of each. Every step is on disk before the next one. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #underWay = new Set<string>();
  #lastTick: number;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#lastTick = options.now();
  }

  raise(notice: Notice): void {
    const { channels, now } = this.#options;
    for (const channel of channels.all()) {
      if (!wants(channel, notice, channels.limitOf(channel))) continue;
      const dueAt = now() + channel.settings.delaySeconds * SECOND_MS;
      this.#add({ part: 'notice', noticeId: notice.id, channel, title: titleFor(notice, channel), dueAt });
    }
  }

  /** Cancels pending notifications and withdraws sent ones on channels that support it. */
  settle(notice: Notice): void {
    for (const one of this.#options.rows.ofNotice(notice.id)) {
      if (one.part !== 'notice' || this.#underWay.has(one.id)) continue;
      if (one.state === 'waiting') this.#update({ ...one, state: 'cancelled' });
      else this.#withdraw(one, notice);
    }
  }

  test(channel: KnownChannel): StoredNotification {
    const { title } = describeTest();
    return this.#add({ part: 'test', noticeId: null, channel, title, dueAt: this.#options.now() });
  }

  retry(id: string): StoredNotification | undefined {
    const known = this.#options.rows.get(id);
    if (known?.state !== 'failed') return known;
    return this.#update({ ...known, state: 'waiting', dueAt: this.#options.now(), attempts: 0 });
  }

  /** False: no such notification, or not its token. */
  confirm(id: string, token: string): boolean {
    const known = this.#options.rows.get(id);
    if (!known || !isSame(known.token, token)) return false;
    if (known.shownAt === null) this.#update({ ...known, state: 'shown', shownAt: this.#options.now() });
    this.#options.channels.setBroken(known.channelId, null);
    return true;
  }

  /** Call about every second. */
  tick(): void {
    const { rows, now, onError } = this.#options;
    const at = now();
    if (at < this.#lastTick - CLOCK_SET_BACK_MS) rows.shift(at - this.#lastTick);
    this.#lastTick = at;
    for (const one of rows.due(at, AT_ONCE)) {
      if (this.#underWay.has(one.id) || this.#underWay.size >= AT_ONCE) continue;
      this.#underWay.add(one.id);
      this.#attempt(one)
        .catch(onError)
        .finally(() => this.#underWay.delete(one.id));
    }
  }

  async #attempt(one: StoredNotification): Promise<void> {
    const { channels, notices, rows } = this.#options;
    const channel = channels.find(one.channelId);
    if (!channel) return rows.removeOf(one.channelId);
    const notice = one.noticeId === null ? undefined : notices.get(one.noticeId);
    const postponed = this.#postponed(one, channel, notice);
    if (postponed) {
      this.#update(postponed);
      return;
    }
    const sent = await this.#send(one, channel, notice);
    this.#finish(one, channel, sent);
  }

  /** The notification if it keeps waiting or will never be sent; undefined: send it now. */
  #postponed(
    one: StoredNotification,
    { settings }: KnownChannel,
    notice: Notice | undefined,
  ): StoredNotification | undefined {
    if (one.part !== 'notice') return undefined;
    if (!notice || notice.settledAt !== undefined || !settings.enabled) return { ...one, state: 'cancelled' };
    const now = this.#options.now();
    const until = quietUntil(settings.quietHours, now);
    if (until !== undefined) return { ...one, dueAt: until };
    const isAtPage = !settings.whileActive && this.#options.presence() === 'active';
    if (isAtPage) return { ...one, dueAt: now + STILL_ACTIVE_MS };
    const turn = this.#turnOf(settings, notice);
    return turn > now ? { ...one, dueAt: turn } : undefined;
  }

  /** When a channel that escalates from another one is due. Derived from the other one's stored outcome, so a restart changes nothing. */
  #turnOf({ after, delaySeconds }: KnownChannel['settings'], notice: Notice): number {
    const before = this.#options.rows
      .ofNotice(notice.id)
      .find(({ part, channelId }) => part === 'notice' && channelId === after);
    const delay = delaySeconds * SECOND_MS;
    // in the future if the clock was set back; sending too early beats never sending
    if (before?.acceptedAt) return before.acceptedAt > this.#options.now() ? 0 : before.acceptedAt + delay;
    // a failed attempt reached no one, so the next channel is due
    const isUntried = before?.state === 'waiting' && before.attempts === 0;
    return isUntried ? Math.max(before.dueAt, this.#options.now()) + Math.max(delay, SECOND_MS) : 0;
  }

  /** Channels that escalate from an unreachable channel don't have to wait for it. */
  #hurryAfter({ noticeId }: StoredNotification, failed: KnownChannel): void {
    const { rows, channels, now } = this.#options;
    if (noticeId === null) return;
    for (const one of rows.ofNotice(noticeId)) {
      const isNext = channels.find(one.channelId)?.settings.after === failed.id;
      if (isNext && one.state === 'waiting' && one.attempts === 0 && one.dueAt > now())
        this.#update({ ...one, dueAt: now() });
    }
  }

  async #send(one: StoredNotification, channel: KnownChannel, notice: Notice | undefined): Promise<Sent> {
    const { senders, rows } = this.#options;
    const first =
      one.part === 'settled' && notice ? rows.ofNotice(notice.id).find((other) => isNoticeTo(other, channel)) : one;
    const message = this.#compose(one, { channel, notice, ref: first?.ref ?? undefined });
    const { target } = channel;
    // each kind of target has its own sender
    const sender = senders[target.kind] as Sender<ChannelTarget['kind']>;
    return sender.send(message, target);
  }

  #finish(one: StoredNotification, channel: KnownChannel, sent: Sent): void {
    const { channels, notices, rows, now, onGivenUp } = this.#options;
    // the receipt may arrive before the push service's response
    const latest = rows.get(one.id) ?? one;
    const attempts = one.attempts + 1;
    if (sent.ok) {
      const state = latest.shownAt === null ? 'accepted' : 'shown';
      const accepted = this.#update({
        ...latest,
        state,
        attempts,
        acceptedAt: now(),
        error: null,
        ref: sent.ref ?? null,
      });
      channels.setBroken(channel.id, null);
      const notice = one.noticeId === null ? undefined : notices.get(one.noticeId);
      if (one.part === 'notice' && notice?.settledAt !== undefined) this.#withdraw(accepted, notice);
      return;
    }
    if (sent.broken) channels.setBroken(channel.id, sent.error);
    if (one.part === 'notice') this.#hurryAfter(one, channel);
    const wait = BACKOFF_MS[one.attempts];
    if (sent.final || wait === undefined) {
      onGivenUp(this.#update({ ...latest, state: 'failed', attempts, error: sent.error }), channel);
      return;
    }
    const jitter = 1 + JITTER * (this.#options.random ?? Math.random)();
    const dueAt = now() + Math.max(sent.retryAfterMs ?? 0, wait * jitter);
    this.#update({ ...latest, attempts, error: sent.error, dueAt });
  }

  #withdraw(one: StoredNotification, notice: Notice): void {
    const channel = this.#options.channels.find(one.channelId);
    if (!channel || (one.state !== 'accepted' && one.state !== 'shown')) return;
    if (!this.#options.senders[channel.target.kind].updates) return;
    const title = notice.outcome ?? 'No longer needed';
    this.#add({ part: 'settled', noticeId: notice.id, channel, title, dueAt: this.#options.now() });
  }

  #add({ part, noticeId, channel, title, dueAt }: Added): StoredNotification {
    const one: StoredNotification = {
      id: randomUUID(),
      noticeId,
      channelId: channel.id,
      part,
      title,
      state: 'waiting',
      createdAt: this.#options.now(),
      dueAt,
      attempts: 0,
      acceptedAt: null,
      shownAt: null,
      error: null,
      token: randomBytes(16).toString('base64url'),
      ref: null,
    };
    this.#options.rows.insert(one);
    this.#options.onChange();
    return one;
  }

  #update(one: StoredNotification): StoredNotification {
    this.#options.rows.update(one);
    this.#options.onChange();
    return one;
  }

  #compose(
    { id, part, token, title, createdAt }: StoredNotification,
    { channel, notice, ref }: { channel: KnownChannel; notice: Notice | undefined; ref: string | undefined },
  ): Outgoing {
    const path = pathOf(notice);
    const body = notice ? (channel.settings.details ? notice.body : notice.plainBody) : describeTest().body;
    return {
      id,
      part,
      // a test notification replaces nothing
      tag: notice?.id ?? id,
      title: part === 'settled' && notice ? `${title}: ${titleFor(notice, channel)}` : title,
      body,
      kind: notice?.kind ?? 'idle',
      path,
      url: `${this.#options.pageUrl()}${path}`,
      sessionId: notice?.sessionId,
      project: notice?.project,
      approvalId: notice?.approvalId,
      outcome: notice?.outcome,
      blind: part === 'notice' && notice?.blind === true && this.#options.canAnswer(channel.deviceId ?? ''),
      token,
      waiting: this.#options.waiting(this.#options.channels.limitOf(channel)),
      createdAt,
      ref,
    };
  }
}

interface Added {
  part: NotificationPart;
  noticeId: string | null;
  channel: KnownChannel;
  title: string;
  dueAt: number;
}

export function wants(
  { settings, broken, target }: KnownChannel,
  { kind, projectPath }: Pick<Notice, 'kind' | 'projectPath'>,
  limit: readonly string[],
): boolean {
  if (!settings.enabled || !settings.kinds.includes(kind)) return false;
  // an expired push subscription stays invalid until the browser subscribes again
  if (broken !== null && target.kind === 'push') return false;
  if (!isInProjects(limit, projectPath)) return false;
  return settings.projects.length === 0 || (projectPath !== undefined && settings.projects.includes(projectPath));
}

const titleFor = (notice: Notice, { settings }: KnownChannel): string =>
  settings.details ? notice.title : notice.plainTitle;

const isNoticeTo = ({ part, channelId }: StoredNotification, { id }: KnownChannel): boolean =>
  part === 'notice' && channelId === id;

function pathOf(notice: Notice | undefined): string {
  if (!notice) return '/settings';
  if (notice.approvalId !== undefined) return `/inbox?open=${encodeURIComponent(notice.approvalId)}`;
  return `/sessions/${encodeURIComponent(notice.sessionId)}`;
}

function isSame(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
