import type { Approval } from '../../contract/approvals.ts';
import type { ChannelDraft } from '../../contract/notify.ts';
import type { LiveSession } from '../../contract/sessions.ts';
import { migrate } from '../journal/migrations.ts';
import { inTransaction, openInMemory, type Sqlite } from '../journal/sqlite.ts';
import { Channels, type KnownChannel } from './channels.ts';
import { NoticeRows } from './notice-rows.ts';
import { NoticeWatch } from './notice-watch.ts';
import { NotificationRows, type StoredNotification } from './notification-rows.ts';
import { Outbox, type Senders } from './outbox.ts';
import type { Outgoing, Sent } from './outgoing.ts';

export interface NotifyBench {
  db: Sqlite;
  channels: Channels;
  rows: NotificationRows;
  outbox: Outbox;
  watch: NoticeWatch;
  sent: { channel: string; message: Outgoing }[];
  /** Results of the next sends, in order. After that, all succeed. */
  answers: Sent[];
  pending: Approval[];
  settled: Approval[];
  sessions: LiveSession[];
  clock: { now: number };
  presence: { level: 'active' | 'idle' | 'none' };
  failed: string[];
  addChannel(draft?: Partial<ChannelDraft>): KnownChannel;
  /** Advances the clock by a second and waits for everything in progress. */
  step(seconds?: number): Promise<void>;
  all(): StoredNotification[];
  /** The same database with everything else recreated, as after a crash. */
  restart(): NotifyBench;
}

/** The notify domain on a clock that the test controls, with senders that record their messages. */
export function notifyBench(from?: NotifyBench): NotifyBench {
  const db = from?.db ?? openInMemory();
  if (!from) migrate(db, ':memory:');
  const clock = from?.clock ?? { now: Date.parse('2026-05-04T10:00:00Z') };
  const now = () => clock.now;
  const sent = from?.sent ?? [];
  const answers = from?.answers ?? [];
  const pending = from?.pending ?? [];
  const settled = from?.settled ?? [];
  const sessions = from?.sessions ?? [];
  const presence = from?.presence ?? { level: 'none' as const };
  const failed = from?.failed ?? [];
  const channels = new Channels({ db, now });
  const rows = new NotificationRows(db);
  const notices = new NoticeRows(db);
  const send = async (message: Outgoing, target: { kind: string }): Promise<Sent> => {
    sent.push({ channel: target.kind, message });
    return answers.shift() ?? { ok: true, ref: 'r1' };
  };
  const updating = { updates: true, send };
  const plain = { updates: false, send };
  const senders: Senders = {
    push: updating,
    webhook: updating,
    slack: plain,
    discord: updating,
    telegram: updating,
    ntfy: plain,
    email: plain,
    desktop: plain,
    bell: plain,
  };
  const raise = (error: unknown) => {
    throw error;
  };
  const outbox = new Outbox({
    channels,
    notices,
    rows,
    senders,
    presence: () => presence.level,
    waiting: () => pending.length,
    pageUrl: () => 'https://tower.example',
    canAnswer: () => true,
    now,
    random: () => 0,
    onChange: () => undefined,
    onGivenUp: ({ error }) => failed.push(error ?? ''),
    onError: raise,
  });
  const watch = new NoticeWatch({
    notices,
    channels,
    outbox,
    pending: () => pending,
    approval: (id) => [...pending, ...settled].find((one) => one.id === id)!,
    sessions: () => sessions,
    session: (id) => sessions.find((one) => one.id === id),
    isBlind: () => false,
    settleMs: 2000,
    now,
    atomically: (work) => inTransaction(db, work),
  });
  const bench: NotifyBench = {
    db,
    channels,
    rows,
    outbox,
    watch,
    sent,
    answers,
    pending,
    settled,
    sessions,
    clock,
    presence,
    failed,
    addChannel: (draft = {}) =>
      channels.create({ name: 'Phone', target: { kind: 'desktop', sound: false }, ...draft }).channel,
    async step(seconds = 1) {
      for (let passed = 0; passed < seconds; passed++) {
        clock.now += 1000;
        watch.check();
        outbox.tick();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    all: () => rows.newest({ limit: 500 }).reverse(),
    restart: () => notifyBench(bench),
  };
  return bench;
}

export function anApproval(id: string, over: Partial<Approval> = {}): Approval {
  return {
    id,
    origin: 'hook',
    correlationId: id,
    sessionId: 's1',
    kind: 'permission',
    toolName: 'Bash',
    toolInput: { command: 'npm test' },
    status: 'pending',
    createdAt: 0,
    ...over,
  };
}
