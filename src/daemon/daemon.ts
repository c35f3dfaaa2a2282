import type { Logger } from 'pino';
import { DATA_FILES } from '../contract/daemon.ts';
import { createAccess } from './access/create-access.ts';
import { Approvals } from './approvals/approvals.ts';
import { cancelHeld } from './approvals/cancel-held.ts';
import { holdApprovals } from './approvals/hold.ts';
import { tellSessions } from './approvals/tell-session.ts';
import { timeOutApprovals } from './approvals/time-out.ts';
import { UndoWindow } from './approvals/undo-window.ts';
import { Prompts } from './control/prompts.ts';
import { Stops } from './control/stops.ts';
import { Core } from './core.ts';
import type { DataDir } from './data-dir.ts';
import { DomainError } from './errors.ts';
import { createHooksControl } from './hooks/control.ts';
import type { Intake } from './hooks/intake.ts';
import { startKeeper } from './hooks/keeper.ts';
import { waitForStandIn } from './hooks/stand-in.ts';
import { createStrictControl } from './hooks/strict-control.ts';
import { UnknownEvents } from './hooks/unknown-events.ts';
import type { Context } from './http/context.ts';
import { prepareDrain } from './http/drain.ts';
import { buildServer } from './http/server.ts';
import { createDecide } from './permissions/decide.ts';
import { answerPermissionHooks } from './permissions/hook-permissions.ts';
import { Judge } from './permissions/judge.ts';
import { ProcessWatch } from './processes/watch.ts';
import { Reviews } from './reviews/reviews.ts';
import { loadBash } from './rules/bash/grammar.ts';
import { realPathOnDisk } from './rules/disk.ts';
import { Policies } from './rules/policies.ts';
import { Rules } from './rules/rules.ts';
import { createRuling } from './rules/ruling.ts';
import { watchPlaces } from './sessions/place-watch.ts';
import { LiveTranscripts } from './transcripts/live-transcripts.ts';
import { PriceBook } from './transcripts/price-book.ts';
import { Today } from './transcripts/today.ts';
import { Transcripts } from './transcripts/transcripts.ts';

const CLOCK_MS = 250;
const SELDOM_MS = 10_000;
/** A fleet that calls all at once: past Node's 511 the system drops connections, and a hook is lost or late. */
const BACKLOG = 4096;

export interface DaemonOptions {
  dataDir: DataDir;
  configDir: string;
  host: string;
  port: number;
  version: string;
  /** How to run `gctl`. */
  program: readonly [string, ...string[]];
  webDir: string | undefined;
  /** The built file that threads run. */
  worker: string;
  log: Logger;
  now?: () => number;
  /** The agents are simulated. */
  demo?: boolean;
  /** Started in the background, by a program that prints our first link. */
  isDetached?: boolean;
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
  const { settleMs, keepEndedMs } = dataDir.preferences();
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed');

  const core = new Core({ path: dataDir.file('journal.db'), now, log });
  const { journal, live, hub, record } = core;
  const unknownEvents = new UnknownEvents(journal.db);
  const observePlace = watchPlaces({ live, record, onError });
  core.observe((event, change) => {
    unknownEvents.count(event);
    if (change) observePlace(change, event);
  });

  const priceBook = new PriceBook(dataDir.file(DATA_FILES.prices));

  let port = options.port;
  const isDetached = options.isDetached ?? false;
  const access = await createAccess({ core, dataDir, configDir, port: () => port, isDetached, now, onError });
  const hooks = createHooksControl({
    dataDir,
    configDir,
    port: () => port,
    program,
    keep: (command) => startKeeper(command, app.server),
  });
  const strict = createStrictControl({ dataDir, configDir, port: () => port });
  const approvals = new Approvals({ core, now });
  const away = {
    get: () => dataDir.preferences().away,
    set: (isAway: boolean) => dataDir.savePreferences({ away: isAway }),
  };
  const isAttended = () => hub.isWatchedByOperator || away.get();
  const rules = new Rules({ core, now });
  const undoSeconds = {
    get: () => dataDir.preferences().undoSeconds,
    set: (seconds: number) => dataDir.savePreferences({ undoSeconds: seconds }),
  };
  const policies = new Policies(core);
  const reviews = new Reviews({ core, rules, now });
  tellSessions({ core, onError });
  const hold = holdApprovals({ core, approvals, isAttended, now, onError });
  const prompts = new Prompts({ core, now, onError });
  const rulesIo = { parseBash: await loadBash(onError), realPath: realPathOnDisk };
  const ruling = createRuling({ rules, approvals, io: rulesIo, now });
  const stops = new Stops({
    core,
    configDir,
    now,
    onError,
    cancelHeld: (sessionId, refusal) => cancelHeld(approvals, sessionId, refusal),
  });
  const judge = new Judge({
    core,
    rules,
    policies,
    approvals,
    refusal: (call) => stops.refusal(call),
    io: rulesIo,
    now,
    onAsked: (id) => reviews.forget(id),
    onError,
  });
  rules.onChange(() => judge.settleDecided().catch(onError));
  const decide = createDecide({ approvals, rules, judge });
  const undo = new UndoWindow({ approvals, carryOut: decide, windowMs: () => undoSeconds.get() * 1000, now, onError });
  const answerPermissions = answerPermissionHooks({
    judge,
    questionOf: hold.questionOf,
    onUnruled: (id, call) => reviews.note(id, call),
  });
  const intake: Intake = {
    record,
    rowFor: (payload) => reviews.rowFor(payload),
    responders: [answerPermissions, stops.respond],
    checksCalls: () => rules.list().length > 0 || policies.list().length > 0,
  };
  const transcripts = new Transcripts({
    worker: options.worker,
    places: {
      historyPath: dataDir.file('history.db'),
      journalPath: dataDir.file('journal.db'),
      configDir,
    },
    overrides: () => priceBook.overrides,
    onError,
  });
  const today = new Today({
    ask: () => transcripts.query('today', { now: now() }),
    warmUp: () => transcripts.warmUp(),
    phase: () => transcripts.status().phase,
    hub,
    live,
    onError,
  });
  const liveTranscripts = new LiveTranscripts({
    core,
    worker: options.worker,
    configDir,
    priceBook,
    onTouched: (paths) => {
      for (const path of paths) transcripts.poke(path);
      today.touch();
    },
    onError,
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
      // positions have no gaps
      eventCount: journal.committedSeq,
      rssBytes: process.memoryUsage.rss(),
      streamClients: hub.clientCount,
      counts: { needsYou: counts.needs_you, autonomous: counts.autonomous, delivered: counts.delivered },
      unknownEvents: unknownEvents.list(),
      journalFailure: journal.failure,
      demo: options.demo ?? false,
    };
  };
  const app = await buildServer(
    {
      journal,
      live,
      left: core.left,
      hub,
      record,
      intake,
      ...access,
      hooks,
      strict,
      approvals,
      decide,
      undo,
      undoSeconds,
      prompts,
      rules,
      ruling,
      policies,
      reviews,
      stops,
      priceBook,
      away,
      transcripts,
      today,
      port: () => port,
      status,
      webDir,
    },
    { version, log },
  );
  const drain = prepareDrain(app.server);
  try {
    await waitForStandIn(port);
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    hold.stop();
    core.close();
    lock.release();
    throw isPortTaken(error) ? new PortTaken(port) : error;
  }
  port = (app.server.address() as { port: number }).port;
  dataDir.announce({ pid: process.pid, port, url: url(), version, startedAt });
  const onUnwritten = (error: unknown, path: string) =>
    log.warn({ err: error, path }, 'a strict project was not written');
  await strict.onStart(onUnwritten);
  core.observe(({ name, payload }) => {
    if (name === 'process.seen') strict.onClient(payload.version, onUnwritten).catch(onError);
  });
  await hooks.onStart().catch((error) => log.warn({ err: error }, 'hooks were not registered'));

  const processes = new ProcessWatch({ configDir, live, record, now, onError });
  processes.start();
  transcripts.start();
  liveTranscripts.start();
  today.start();
  priceBook.onChange(() => transcripts.reprice());
  stops.resume();
  judge.settleDecided().catch(onError);
  const timeOuts = timeOutApprovals({ approvals, now, onError });
  const clock = setInterval(() => {
    for (const draft of live.due(now(), { settleMs, keepEndedMs })) record(draft).catch(onError);
    prompts.expireDue();
  }, CLOCK_MS);
  const saveSeen = () => attempt(() => access.save(), onError);
  const seldom = setInterval(() => {
    saveSeen();
    core.saveLeft();
  }, SELDOM_MS);
  log.info({ url: url(), dataDir: dataDir.path, sessions: live.views().length }, 'started');

  return {
    url: url(),
    link: () => `${url()}/pair?code=${access.codes.create({ role: 'operator' }).code}`,
    hooks,
    async stop() {
      clearInterval(clock);
      clearInterval(seldom);
      access.stop();
      await stops.close();
      timeOuts.stop();
      hold.stop();
      await undo.flush();
      approvals.letGo();
      await processes.stop();
      today.stop();
      await Promise.all([transcripts.stop(), liveTranscripts.stop()]);
      await hooks.onStop().catch((error) => log.warn({ err: error }, 'hooks were not removed'));
      const sessionsRun = [...live.sessions()].some(({ endedAt }) => endedAt === null);
      if (sessionsRun) await drain();
      await app.close();
      hooks.onClosed({ sessionsRun });
      saveSeen();
      core.close();
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

function attempt(work: () => void, onError: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    onError(error);
  }
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}
