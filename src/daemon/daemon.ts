import type { Logger } from 'pino';
import { Codes } from './access/codes.ts';
import { Devices } from './access/devices.ts';
import { Guard } from './access/guard.ts';
import type { DataDir } from './data-dir.ts';
import { DomainError } from './errors.ts';
import { createHooksControl } from './hooks/control.ts';
import { startKeeper } from './hooks/keeper.ts';
import { UnknownEvents } from './hooks/unknown-events.ts';
import type { Context } from './http/context.ts';
import { buildServer } from './http/server.ts';
import { Journal, type JournalEvent } from './journal/journal.ts';
import { Snapshots } from './journal/snapshots.ts';
import { ProcessWatch } from './processes/watch.ts';
import { type Change, LiveModel } from './sessions/live-model.ts';
import { watchPlaces } from './sessions/place-watch.ts';
import { SESSION_MODEL } from './sessions/session.ts';
import { Hub } from './stream/hub.ts';

const LEAVE_MS = 10_000;
const CLOCK_MS = 250;
/** A snapshot every so many events, and as many changes at hand for clients that reconnect. */
const SNAPSHOT_EVERY = 2000;

export interface DaemonOptions {
  dataDir: DataDir;
  configDir: string;
  host: string;
  port: number;
  version: string;
  /** How to run `gctl`. */
  program: readonly [string, ...string[]];
  webDir: string | undefined;
  log: Logger;
  now?: () => number;
}

export interface Daemon {
  url: string;
  /** A link that lets one browser in. */
  link(): string;
  hooks: Context['hooks'];
  stop(): Promise<void>;
}

export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { dataDir, configDir, host, version, program, webDir, log, now = Date.now } = options;
  const lock = dataDir.lock();
  if (!lock) throw new AlreadyRunning(dataDir);
  const startedAt = now();
  const credentials = dataDir.credentials();
  const { settleMs } = dataDir.preferences();
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed');

  const live = new LiveModel();
  const hub = new Hub({ keep: SNAPSHOT_EVERY });
  const journal = new Journal({ path: dataDir.file('journal.db'), now, onCommit: (events) => onCommit(events) });
  const snapshots = new Snapshots(journal.db, SESSION_MODEL);
  const unknownEvents = new UnknownEvents(journal.db);
  const record = journal.append.bind(journal);
  const observePlace = watchPlaces({ live, record, onError });
  let lastSnapshot = restore();

  const devices = new Devices(journal.db, now);
  devices.admitLocal(credentials.localToken);
  const codes = new Codes(now);
  let port = options.port;
  const guard = new Guard({ port: () => port, hookToken: credentials.hookToken, devices });
  const hooks = createHooksControl({
    dataDir,
    configDir,
    port: () => port,
    token: credentials.hookToken,
    program,
    keep: startKeeper,
  });
  const url = () => `http://127.0.0.1:${port}`;
  const status: Context['status'] = () => {
    const counts = live.counts();
    return {
      version,
      pid: process.pid,
      url: url(),
      dataDir: dataDir.path,
      configDir,
      startedAt,
      seq: journal.committedSeq,
      eventCount: journal.countEvents(),
      rssBytes: process.memoryUsage.rss(),
      streamClients: hub.clientCount,
      counts: { needsYou: counts.needs_you, autonomous: counts.autonomous, delivered: counts.delivered },
      unknownEvents: unknownEvents.list(),
    };
  };
  const app = await buildServer(
    { journal, live, hub, record, guard, devices, codes, hooks, port: () => port, status, webDir },
    { version, log },
  );
  try {
    await app.listen({ host, port });
  } catch (error) {
    journal.close();
    lock.release();
    throw isPortTaken(error) ? new PortTaken(port) : error;
  }
  port = (app.server.address() as { port: number }).port;
  dataDir.announce({ pid: process.pid, port, url: url(), version, startedAt });
  await hooks.onStart().catch((error) => log.warn({ err: error }, 'hooks were not registered'));

  const processes = new ProcessWatch({ configDir, live, record, now, onError });
  processes.start();
  const clock = setInterval(() => {
    for (const draft of live.due(now(), { settleMs, leaveMs: LEAVE_MS })) record(draft).catch(onError);
  }, CLOCK_MS);
  log.info({ url: url(), dataDir: dataDir.path, sessions: live.views().length }, 'started');

  /** The live model as it was, from the older snapshot on: what lies between goes to the hub for replays. */
  function restore(): number {
    const snapshot = snapshots.oldest();
    if (snapshot) live.load(snapshot.body);
    for (const event of journal.eventsAfter(snapshot?.seq ?? 0)) {
      const change = applyEvent(event);
      if (change) hub.publish([change]);
    }
    return snapshots.newestSeq();
  }

  function onCommit(events: JournalEvent[]): void {
    const changes = events.map(applyEvent).filter((change) => change !== undefined);
    hub.publish(changes);
    unknownEvents.count(events);
    for (const change of changes) observePlace(change);
    if (journal.committedSeq - lastSnapshot < SNAPSHOT_EVERY) return;
    lastSnapshot = journal.committedSeq;
    // after the answers are out; by then the model may be ahead, so its position is read again
    setImmediate(() => snapshots.save({ seq: journal.committedSeq, body: live.save() }));
  }

  /** What is on the disk is acknowledged, whatever our reading of it: a defect here must not stall an agent. */
  function applyEvent(event: JournalEvent): Change | undefined {
    try {
      return live.apply(event);
    } catch (error) {
      log.error(
        { err: error, seq: event.seq, event: event.name, session: event.sessionId },
        'an event could not be applied',
      );
      return undefined;
    }
  }

  return {
    url: url(),
    link: () => `${url()}/pair?code=${codes.create({ role: 'operator' }).code}`,
    hooks,
    async stop() {
      clearInterval(clock);
      await processes.stop();
      await hooks.onStop().catch((error) => log.warn({ err: error }, 'hooks were not removed'));
      await app.close();
      hub.close();
      journal.close();
      dataDir.withdraw();
      lock.release();
      log.info('stopped');
    },
  };
}

export class AlreadyRunning extends DomainError {
  readonly url: string | undefined;

  constructor(dataDir: DataDir) {
    const running = dataDir.daemonFile();
    const where = running ? `at ${running.url} (pid ${running.pid})` : '(it is just starting or stopping)';
    super('daemon.already_running', 409, `Ground Control already runs ${where} on ${dataDir.path}.`);
    this.url = running?.url;
  }
}

class PortTaken extends DomainError {
  constructor(port: number) {
    super('daemon.port_taken', 409, `Port ${port} is taken by another program. Choose another: --port ${port + 1}`);
  }
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}
