import type { Approval } from '../../contract/approvals.ts';
import { countAttention } from '../../contract/attention.ts';
import type {
  Channel,
  ChannelDraft,
  ChannelMade,
  ChannelPatch,
  ChannelTarget,
  Notification,
  NotifySettings,
} from '../../contract/notify.ts';
import { isInProjects } from '../access/project-scope.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Presence } from '../approvals/presence.ts';
import type { Core } from '../core.ts';
import type { DataDir } from '../data-dir.ts';
import { DomainError } from '../errors.ts';
import { inTransaction } from '../journal/sqlite.ts';
import type { CallToJudge, RulesIo } from '../rules/call-facts.ts';
import { BlindAnswers, compileBlind } from './blind-answers.ts';
import { Channels, toChannel, toMade } from './channels.ts';
import { NoticeRows } from './notice-rows.ts';
import { NoticeWatch } from './notice-watch.ts';
import { NotificationRows, toShown } from './notification-rows.ts';
import { Outbox, type Senders } from './outbox.ts';
import { createPost, type Post } from './post.ts';
import { checkPushEndpoint } from './push-hosts.ts';
import { bellSender } from './senders/bell.ts';
import { discordSender, ntfySender, slackSender, telegramSender } from './senders/chat.ts';
import { desktopSender } from './senders/desktop.ts';
import { emailSender } from './senders/email.ts';
import { pushSender } from './senders/push.ts';
import { webhookSender } from './senders/webhook.ts';
import { vapidKeys } from './vapid.ts';

const TICK_MS = 1000;
const KEEP_MS = 30 * 86_400_000;
const PRUNE_MS = 3_600_000;
const RECENT = 5;
/** The contact sent with each push if the operator hasn't set one. */
const CONTACT = 'https://www.npmjs.com/package/groundcontrol';

export interface NotifyOptions {
  core: Core;
  dataDir: DataDir;
  approvals: Approvals;
  presence: Presence;
  toolCall: (approval: Parameters<BlindAnswers['isSafe']>[0]) => CallToJudge;
  io: RulesIo;
  pageUrl: () => string;
  /** Whether a device can allow a covered request from a notification; false: it needs a passkey. */
  canAnswer: (deviceId: string) => boolean;
  /** The projects a device is limited to. Empty: not limited. */
  projectsOf: (deviceId: string) => readonly string[];
  now: () => number;
  onError: (error: unknown) => void;
}

/** Notifies the operator, wherever they are, that an agent needs them. */
export class Notify {
  readonly #options: NotifyOptions;
  readonly #channels: Channels;
  readonly #rows: NotificationRows;
  readonly #notices: NoticeRows;
  readonly #outbox: Outbox;
  readonly #watch: NoticeWatch;
  readonly #keys: ReturnType<typeof vapidKeys>;
  readonly #blind: BlindAnswers;
  #timer: NodeJS.Timeout | undefined;
  #prunedAt = 0;

  constructor(options: NotifyOptions) {
    this.#options = options;
    const { core, dataDir, approvals, presence, now, onError } = options;
    const { db } = core.journal;
    this.#channels = new Channels({ db, now, projectsOf: options.projectsOf });
    this.#rows = new NotificationRows(db);
    this.#notices = new NoticeRows(db);
    this.#keys = vapidKeys(dataDir);
    this.#outbox = new Outbox({
      channels: this.#channels,
      notices: this.#notices,
      rows: this.#rows,
      senders: this.#senders(),
      presence: () => presence.level(),
      waiting: (projects) => {
        const sessions = core.live.views().filter(({ projectPath }) => isInProjects(projects, projectPath));
        const shown = new Set(sessions.map(({ id }) => id));
        const pending = [...approvals.pending()].filter(
          ({ sessionId }) => projects.length === 0 || shown.has(sessionId),
        );
        return countAttention(sessions, pending).requests;
      },
      pageUrl: options.pageUrl,
      canAnswer: options.canAnswer,
      now,
      onChange: () => core.hub.announce('notify_changed', {}),
      onGivenUp: ({ title, error }, { settings }) => {
        const detail = `“${title}” did not reach ${settings.name}: ${error}`;
        this.#record('notify.failed', undefined, detail).catch(onError);
      },
      onError,
    });
    this.#blind = new BlindAnswers({
      patterns: () => this.settings().blind,
      toolCall: options.toolCall,
      io: options.io,
      onError,
    });
    this.#watch = new NoticeWatch({
      notices: this.#notices,
      channels: this.#channels,
      outbox: this.#outbox,
      pending: () => approvals.pending(),
      approval: (id) => approvals.get(id),
      sessions: () => core.live.views(),
      session: (id) => core.live.view(id),
      isBlind: this.isBlind,
      settleMs: dataDir.preferences().settleMs,
      now,
      atomically: (work) => inTransaction(db, work),
    });
  }

  /** Whether it may be answered from a notification, by a pattern of the operator. */
  readonly isBlind = (approval: Approval): boolean => this.#blind.isSafe(approval);

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  channels(): Channel[] {
    return [...this.#channels.all()].map((channel) => toChannel(channel, this.#recent(channel.id)));
  }

  async create(draft: ChannelDraft, by: string): Promise<ChannelMade> {
    if (draft.target.kind === 'push')
      throw new DomainError('channel.push_by_browser', 400, 'A browser subscribes itself: PUT /api/notify/push.');
    const made = this.#channels.create(draft);
    await this.#record('notify.channel_added', by, `${made.channel.settings.name} (${made.channel.target.kind})`);
    return toMade(made);
  }

  async subscribe(
    target: Omit<Extract<ChannelTarget, { kind: 'push' }>, 'kind'>,
    device: { id: string; name: string },
  ): Promise<ChannelMade> {
    checkPushEndpoint(target.endpoint, this.#hosts());
    const { channel, isNew } = this.#channels.subscribe({ kind: 'push', ...target }, device);
    // a page sends its subscription each time it opens
    if (isNew) await this.#record('notify.channel_added', device.name, `${channel.settings.name} (push)`);
    return toMade({ channel }, this.#recent(channel.id));
  }

  /** The device whose browser shows it. Null: not tied to a device. */
  deviceOf(id: string): string | null {
    return this.#channels.get(id).deviceId;
  }

  async update(id: string, patch: ChannelPatch, by: string): Promise<ChannelMade> {
    const channel = this.#channels.update(id, patch);
    await this.#record('notify.channel_changed', by, channel.settings.name);
    return toMade({ channel }, this.#recent(id));
  }

  async remove(id: string, by: string): Promise<void> {
    const { settings } = this.#channels.remove(id);
    this.#rows.removeOf(id);
    await this.#record('notify.channel_removed', by, settings.name);
  }

  /** Stops all notifications to a revoked device. */
  forgetDevice(deviceId: string): void {
    for (const { id } of this.#channels.removeOf(deviceId)) this.#rows.removeOf(id);
    this.#options.core.hub.announce('notify_changed', {});
  }

  test(id: string): Notification {
    const sent = this.#outbox.test(this.#channels.get(id));
    this.#outbox.tick();
    return toShown(sent);
  }

  notifications(filter: { channelId?: string | undefined; limit: number }): Notification[] {
    return this.#rows.newest(filter).map(toShown);
  }

  notification(id: string): Notification {
    const found = this.#rows.get(id);
    if (!found) throw unknownNotification(id);
    return toShown(found);
  }

  retry(id: string): Notification {
    const retried = this.#outbox.retry(id);
    if (!retried) throw unknownNotification(id);
    this.#outbox.tick();
    return toShown(retried);
  }

  confirm(id: string, token: string): void {
    if (!this.#outbox.confirm(id, token))
      throw new DomainError('notification.bad_receipt', 404, 'No notification with this id and token.');
  }

  async pushKey(): Promise<string> {
    return (await this.#keys()).publicKey;
  }

  settings(): NotifySettings {
    const { notifyContact, notifyBlind } = this.#options.dataDir.preferences();
    return { contact: notifyContact, blind: notifyBlind };
  }

  async saveSettings({ contact, blind }: NotifySettings, by: string): Promise<NotifySettings> {
    compileBlind(blind);
    this.#options.dataDir.savePreferences({ notifyContact: contact, notifyBlind: blind });
    await this.#record('notify.settings', by, `${blind.length} patterns may be answered from a notification`);
    return this.settings();
  }

  #senders(): Senders {
    const { now } = this.#options;
    const allowedHosts = () => this.#hosts();
    const post: Post = createPost({ allowedHosts });
    return {
      push: pushSender({ post, keys: this.#keys, contact: () => this.settings().contact ?? CONTACT, now }),
      webhook: webhookSender({ post, now }),
      slack: slackSender(post),
      discord: discordSender(post),
      telegram: telegramSender(post),
      ntfy: ntfySender(post),
      email: emailSender({ allowedHosts }),
      desktop: desktopSender(),
      bell: bellSender(),
    };
  }

  #hosts(): string[] {
    return this.#options.dataDir.preferences().notifyHosts;
  }

  #recent(channelId: string): Notification[] {
    return this.#rows.newest({ channelId, limit: RECENT }).map(toShown);
  }

  #tick(): void {
    const { now, onError } = this.#options;
    try {
      this.#watch.check();
      this.#outbox.tick();
      if (now() - this.#prunedAt < PRUNE_MS) return;
      this.#prunedAt = now();
      this.#rows.prune(now() - KEEP_MS);
      this.#notices.prune(now() - KEEP_MS);
    } catch (error) {
      // the disk is full: the next tick retries
      onError(error);
    }
  }

  async #record(name: NotifyEvent, by: string | undefined, detail: string): Promise<void> {
    const payload = { ...(by === undefined ? {} : { by }), detail };
    await this.#options.core.record({
      sessionId: '',
      source: by === undefined ? 'control' : 'operator',
      name,
      payload,
    });
  }
}

type NotifyEvent =
  | 'notify.channel_added'
  | 'notify.channel_changed'
  | 'notify.channel_removed'
  | 'notify.settings'
  | 'notify.failed';

function unknownNotification(id: string): DomainError {
  return new DomainError(
    'notification.unknown',
    404,
    `No notification ${id}. GET /api/notify/notifications lists them.`,
  );
}
