import { randomUUID } from 'node:crypto';
import type {
  Channel,
  ChannelDraft,
  ChannelMade,
  ChannelPatch,
  ChannelTarget,
  Notification,
} from '../../contract/notify.ts';
import { ChannelSettings, ChannelTarget as TargetSchema } from '../../contract/notify.ts';
import { DomainError } from '../errors.ts';
import type { Sqlite } from '../journal/sqlite.ts';
import { newWebhookSecret } from './senders/webhook.ts';

const MOST_CHANNELS = 100;

export interface KnownChannel {
  id: string;
  deviceId: string | null;
  settings: ChannelSettings;
  target: ChannelTarget;
  broken: string | null;
  createdAt: number;
}

interface Row {
  id: string;
  device_id: string | null;
  body: string;
  created_at: number;
}

interface ChannelsOptions {
  db: Sqlite;
  now: () => number;
  /** The projects a device is limited to. Empty: not limited. */
  projectsOf?: (deviceId: string) => readonly string[];
}

/** Where notifications go. Kept in memory because each notice checks all of them. */
export class Channels {
  readonly #db: Sqlite;
  readonly #now: () => number;
  readonly #projectsOf: (deviceId: string) => readonly string[];
  readonly #byId = new Map<string, KnownChannel>();

  constructor({ db, now, projectsOf = () => [] }: ChannelsOptions) {
    this.#db = db;
    this.#now = now;
    this.#projectsOf = projectsOf;
    const rows = db
      .prepare('SELECT id, device_id, body, created_at FROM channels ORDER BY created_at, id')
      .all() as Row[];
    for (const { id, device_id: deviceId, body, created_at: createdAt } of rows)
      this.#byId.set(id, { id, deviceId, createdAt, ...readBody(body) });
  }

  all(): Iterable<KnownChannel> {
    return this.#byId.values();
  }

  get(id: string): KnownChannel {
    const channel = this.#byId.get(id);
    if (channel) return channel;
    throw new DomainError('channel.unknown', 404, `No channel ${id}. GET /api/notify/channels lists them.`);
  }

  find(id: string): KnownChannel | undefined {
    return this.#byId.get(id);
  }

  /** The projects its device is limited to. Empty: not limited. */
  limitOf({ deviceId }: KnownChannel): readonly string[] {
    return deviceId === null ? [] : this.#projectsOf(deviceId);
  }

  create(draft: ChannelDraft, deviceId: string | null = null): { channel: KnownChannel; secret?: string } {
    if (this.#byId.size >= MOST_CHANNELS)
      throw new DomainError('channel.too_many', 409, `There are already ${MOST_CHANNELS} channels. Remove one first.`);
    const { target: given, ...rest } = draft;
    const target = TargetSchema.parse(given);
    const settings = ChannelSettings.parse(rest);
    if (settings.after !== null) this.get(settings.after);
    const secret = target.kind === 'webhook' && target.secret === undefined ? newWebhookSecret() : undefined;
    if (target.kind === 'webhook' && secret !== undefined) target.secret = secret;
    const channel: KnownChannel = {
      id: randomUUID(),
      deviceId,
      settings,
      target,
      broken: null,
      createdAt: this.#now(),
    };
    this.#save(channel);
    return secret === undefined ? { channel } : { channel, secret };
  }

  /** A browser has one channel. Subscribing again, with the same endpoint or a new one, updates it. */
  subscribe(
    target: Extract<ChannelTarget, { kind: 'push' }>,
    device: { id: string; name: string },
  ): { channel: KnownChannel; isNew: boolean } {
    const known = [...this.#byId.values()].find(
      (one) => one.target.kind === 'push' && (one.deviceId === device.id || one.target.endpoint === target.endpoint),
    );
    if (!known) return { ...this.create({ name: device.name, target }, device.id), isNew: true };
    const channel = { ...known, target, deviceId: device.id, broken: null };
    this.#save(channel);
    return { channel, isNew: false };
  }

  update(id: string, patch: ChannelPatch): KnownChannel {
    const known = this.get(id);
    const channel = { ...known, settings: ChannelSettings.parse({ ...known.settings, ...patch }) };
    this.#checkOrder(channel);
    this.#save(channel);
    return channel;
  }

  /** A cycle of channels that escalate from each other would notify no one. */
  #checkOrder({ id, settings }: KnownChannel): void {
    const seen = new Set([id]);
    for (let before = settings.after; before !== null; before = this.#byId.get(before)?.settings.after ?? null) {
      if (before === settings.after) this.get(before);
      if (seen.has(before))
        throw new DomainError(
          'channel.circle',
          400,
          `${settings.name} can't escalate from a channel that escalates from it.`,
        );
      seen.add(before);
    }
  }

  /** `why`: null once a delivery succeeds again. */
  setBroken(id: string, why: string | null): void {
    const known = this.#byId.get(id);
    if (known && known.broken !== why) this.#save({ ...known, broken: why });
  }

  remove(id: string): KnownChannel {
    const channel = this.get(id);
    this.#db.prepare('DELETE FROM channels WHERE id = ?').run(id);
    this.#byId.delete(id);
    return channel;
  }

  /** Removes the channels of a deleted device. */
  removeOf(deviceId: string): KnownChannel[] {
    const own = [...this.#byId.values()].filter((one) => one.deviceId === deviceId);
    return own.map(({ id }) => this.remove(id));
  }

  #save(channel: KnownChannel): void {
    const { id, deviceId, createdAt, settings, target, broken } = channel;
    const body: StoredBody = { settings, target, broken };
    const sql = `INSERT INTO channels (id, device_id, body, created_at) VALUES (?, ?, ?, ?)
                 ON CONFLICT (id) DO UPDATE SET device_id = excluded.device_id, body = excluded.body`;
    this.#db.prepare(sql).run(id, deviceId, JSON.stringify(body), createdAt);
    this.#byId.set(id, channel);
  }
}

/** Fills in defaults for settings that were added since it was saved. */
function readBody(body: string): StoredBody {
  const { settings, target, broken } = JSON.parse(body) as StoredBody;
  return { settings: ChannelSettings.parse(settings), target, broken };
}

type StoredBody = Pick<KnownChannel, 'settings' | 'target' | 'broken'>;

/** As the API shows it. */
export function toChannel(
  { id, deviceId, settings, target, broken, createdAt }: KnownChannel,
  recent: Notification[],
): Channel {
  return { ...settings, id, kind: target.kind, deviceId, target: describeTarget(target), broken, createdAt, recent };
}

export const toMade = (made: { channel: KnownChannel; secret?: string }, recent: Notification[] = []): ChannelMade => ({
  channel: toChannel(made.channel, recent),
  ...(made.secret === undefined ? {} : { secret: made.secret }),
});

/** The addresses of chat webhooks and push endpoints are secrets, so only the host is shown. */
function describeTarget(target: ChannelTarget): string {
  switch (target.kind) {
    case 'push':
      return new URL(target.endpoint).host;
    case 'webhook':
    case 'slack':
    case 'discord':
    case 'ntfy':
      return new URL(target.url).host;
    case 'telegram':
      return `chat ${target.chatId}`;
    case 'email':
      return target.to;
    case 'desktop':
      return target.sound ? 'this machine, with sound' : 'this machine';
    case 'bell':
      return 'your terminals on this machine';
  }
}
