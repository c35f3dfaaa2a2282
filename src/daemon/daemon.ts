import type { Logger } from 'pino';
import type { Approval } from '../contract/approvals.ts';
import { DATA_FILES } from '../contract/daemon.ts';
import type { EventName } from '../contract/events.ts';
import { createAccess } from './access/create-access.ts';
import { approvalTimeout } from './approvals/approval-timeout.ts';
import { Approvals } from './approvals/approvals.ts';
import { cancelEnded } from './approvals/cancel-ended.ts';
import { cancelHeld } from './approvals/cancel-held.ts';
import { Deliveries } from './approvals/deliveries.ts';
import { Holding } from './approvals/holding.ts';
import { Presence } from './approvals/presence.ts';
import { tellSessions } from './approvals/tell-session.ts';
import { timeOutApprovals } from './approvals/time-out.ts';
import { UndoWindow } from './approvals/undo-window.ts';
import { Blueprints } from './blueprints/blueprints.ts';
import { CollisionWatch } from './collisions/collision-watch.ts';
import { Prompts } from './control/prompts.ts';
import { Stops } from './control/stops.ts';
import { Core } from './core.ts';
import type { DataDir } from './data-dir.ts';
import { entrypointOf } from './drivers/terminal/intake/entrypoint.ts';
import type { Intake } from './drivers/terminal/intake/intake.ts';
import { createNoteSpeaker } from './drivers/terminal/intake/note-speaker.ts';
import { UnknownEvents } from './drivers/terminal/intake/unknown-events.ts';
import { startKeeper } from './drivers/terminal/keeper/keeper.ts';
import { waitForStandIn } from './drivers/terminal/keeper/stand-in.ts';
import { holdApprovals } from './drivers/terminal/permission/hold-approvals.ts';
import { answerPermissionHooks } from './drivers/terminal/permission/hook-permissions.ts';
import { createResumeAsk } from './drivers/terminal/permission/resume-ask.ts';
import { ProcessWatch } from './drivers/terminal/processes/process-watch.ts';
import { namePrompts } from './drivers/terminal/prompts/name-prompt.ts';
import { createHooksControl } from './drivers/terminal/settings/hooks-control.ts';
import { refuseHooks } from './drivers/terminal/stop/refuse-hook.ts';
import { TurnEnd } from './drivers/terminal/stop/turn-end.ts';
import { createStrictControl } from './drivers/terminal/strict/strict-control.ts';
import { TerminalDriver } from './drivers/terminal/terminal-driver.ts';
import { DomainError } from './errors.ts';
import type { Context } from './http/context.ts';
import { prepareDrain } from './http/drain.ts';
import { buildServer } from './http/server.ts';
import { explainCorruption, markJournal, requireJournal, setJournalAside } from './journal/journal-file.ts';
import { Retention } from './journal/retention.ts';
import { createDecide } from './permissions/decide.ts';
import { Judge } from './permissions/judge.ts';
import { DecisionCounts } from './permissions/session-decisions.ts';
import { announceReviewCount } from './reviews/announce-count.ts';
import { Reviews } from './reviews/reviews.ts';
import { loadBash } from './rules/bash/grammar.ts';
import { BuiltInRules } from './rules/built-in/built-in-rules.ts';
import { realPathOnDisk } from './rules/disk.ts';
import { Policies } from './rules/policies.ts';
import { createRuling } from './rules/rule-tools.ts';
import { Rules } from './rules/rules.ts';
import { keepRulesBackup, restoreRules } from './rules/rules-backup.ts';
import { isHeadless } from './sessions/entrypoint.ts';
import { watchPlaces } from './sessions/place-watch.ts';
import { StallWatch } from './sessions/stall-watch.ts';
import { PriceBook } from './transcripts/prices/price-book.ts';
import { Today } from './transcripts/stats/today.ts';
import { LiveTranscripts } from './transcripts/tail/live-transcripts.ts';
import { Transcripts } from './transcripts/transcripts.ts';

const CLOCK_MS = 250;
const SELDOM_MS = 10_000;
const RETENTION_REST_MS = 60_000;
const BREATHE_MS = 100;
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
  /** Move a broken journal aside, start an empty one and restore the rules from their backup. */
  newJournal?: boolean;
  env?: NodeJS.ProcessEnv;
  /** For tests: what is recorded must be as the event catalogue says. */
  checksEvents?: boolean;
}

export interface Daemon {
  url: string;
  /** A link that lets one browser in. */
  link(): string;
  hooks: Context['hooks'];
  stop(): Promise<void>;
}

export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const lock = options.dataDir.lock();
  if (!lock) throw new AlreadyRunning(options.dataDir);
  /** Let go of in reverse if the start fails, so that the port, the journal and the lock are free for the next one. */
  const held: (() => unknown)[] = [() => lock.release()];
  try {
    return await startParts(options, { lock, held });
  } catch (error) {
    for (const letGo of held.reverse()) await letGo();
    throw explainCorruption(error, options.dataDir);
  }
}

async function startParts(
  options: DaemonOptions,
  { lock, held }: { lock: { release(): void }; held: (() => unknown)[] },
): Promise<Daemon> {
  const { dataDir, configDir, host, version, program, webDir, log, now = Date.now } = options;
  const startedAt = now();
  const { settleMs, keepEndedMs } = dataDir.preferences();
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed');

  const setAside = options.newJournal ? setJournalAside(dataDir, now()) : undefined;
  if (!options.newJournal) requireJournal(dataDir);
  const core = new Core({ path: dataDir.file('journal.db'), now, log, checksEvents: options.checksEvents ?? false });
  held.push(() => core.close());
  markJournal(dataDir);
  const { journal, live, hub, record } = core;
  const unknownEvents = new UnknownEvents(journal.db);
  const observePlace = watchPlaces({ live, record, onError });
  core.observe(new CollisionWatch({ live, record, onError }).observe);
  core.observe((event, change) => {
    unknownEvents.count(event);
    if (change) observePlace(change, event);
  });

  const priceBook = new PriceBook(dataDir.file(DATA_FILES.prices));

  let port = options.port;
  const isDetached = options.isDetached ?? false;
  const access = await createAccess({
    core,
    dataDir,
    configDir,
    port: () => port,
    isDetached,
    isSimulated: options.demo,
    now,
    onError,
  });
  held.push(() => access.stop());
  const noteHooks = (name: EventName, detail: string) => {
    log.warn({ detail }, name);
    record({ sessionId: '', source: 'control', name, payload: { detail } }).catch(onError);
  };
  const hooks = createHooksControl({
    dataDir,
    configDir,
    port: () => port,
    program,
    keep: (command) => startKeeper(command, app.server),
    watch: { onNews: (news, detail) => noteHooks(`hooks.${news}`, detail), now, onError },
  });
  const strict = createStrictControl({ dataDir, configDir, port: () => port });
  const approvals = new Approvals({ core, now });
  const away = {
    get: () => dataDir.preferences().away,
    set: (isAway: boolean) => dataDir.savePreferences({ away: isAway }),
  };
  const presence = new Presence({ now });
  const holdTime = {
    get: () => dataDir.preferences().holdSeconds,
    set: (holdSeconds: number) => dataDir.savePreferences({ holdSeconds }),
  };
  const attendance = () => ({ presence: presence.level(), away: away.get() });
  const holding = new Holding({ approvals, attendance, now, onError });
  held.push(() => holding.stop());
  const builtIn = new BuiltInRules(() => ({ dataDir: dataDir.path, configDir, port }));
  const rules = new Rules({ core, now, guard: builtIn.guard });
  const stopWaitSeconds = {
    get: () => dataDir.preferences().stopWaitSeconds,
    set: (seconds: number) => dataDir.savePreferences({ stopWaitSeconds: seconds }),
  };
  const undoSeconds = {
    get: () => dataDir.preferences().undoSeconds,
    set: (seconds: number) => dataDir.savePreferences({ undoSeconds: seconds }),
  };
  const policies = new Policies(core);
  const backup = {
    path: dataDir.file(DATA_FILES.rulesBackup),
    replace: (text: string) => dataDir.saveRulesBackup(text),
    rules,
    policies,
  };
  if (options.newJournal) log.warn({ setAside, rules: await restoreRules(backup) }, 'started with a new journal');
  keepRulesBackup(core, backup, onError);
  const reviews = new Reviews({ core, rules, now });
  tellSessions({ core, approvals, onError });
  const hold = holdApprovals({ core, approvals, holdMs: () => holdTime.get() * 1000, now, onError });
  held.push(() => hold.stop());
  const turnEnd = new TurnEnd({ setStopping: (isStopping) => hooks.setStopping(isStopping), onError });
  core.observe(turnEnd.observe);
  held.push(() => turnEnd.close());
  const driver = new TerminalDriver({ live, configDir, turnEnd });
  const prompts = new Prompts({ core, driver, now, onError });
  const rulesIo = { parseBash: await loadBash(onError), realPath: realPathOnDisk };
  const ruling = createRuling({ rules, approvals, io: rulesIo, now });
  const stops = new Stops({
    core,
    driver,
    now,
    onError,
    cancelHeld: (sessionId, refusal) => cancelHeld(approvals, sessionId, refusal),
    waitSeconds: () => stopWaitSeconds.get(),
  });
  const judge = new Judge({
    core,
    rules,
    policies,
    approvals,
    refusal: (call) => stops.refusal(call),
    io: rulesIo,
    now,
    declines: (ask) => holding.declines(ask),
    onAsked: (id) => reviews.forget(id),
    onError,
  });
  const alwaysFor = (approval: Approval) => {
    if (approval.kind !== 'permission')
      throw new DomainError(
        'approval.no_rule',
        409,
        `A ${approval.kind} request needs an answer each time. No rule can give it.`,
      );
    return ruling.always(judge.toolCall(approval));
  };
  cancelEnded({ core, approvals, onError });
  rules.onChange(() => judge.settleDecided().catch(onError));
  const decide = createDecide({ approvals, rules, judge });
  const undo = new UndoWindow({ approvals, carryOut: decide, windowMs: () => undoSeconds.get() * 1000, now, onError });
  const processes = new ProcessWatch({ configDir, live, record, now, onError });
  core.observe((_event, change) => {
    if (change?.kind === 'session_discovered') processes.wake();
  });
  const deliveries = new Deliveries({
    core,
    approvals,
    dialogClosedAt: (pid, asked) => processes.dialogClosedAt(pid, asked),
    now,
    onError,
  });
  held.push(() => deliveries.stop());
  const answerPermissions = answerPermissionHooks({
    onAnswer: (id, hook) => deliveries.sent(id, hook),
    judge,
    isHeadless: (hook) => isHeadless(entrypointOf(hook, live)),
    onError,
    questionOf: hold.questionOf,
    onUnruled: (id, call) => reviews.note(id, call),
  });
  const intake: Intake = {
    record,
    noteSpeaker: createNoteSpeaker({ live, record, onError }),
    rowFor: (sessionId, endedCall) => reviews.rowFor(sessionId, endedCall),
    responders: [
      answerPermissions,
      turnEnd.respond,
      refuseHooks((call) => stops.refusal(call)),
      namePrompts((sessionId) => prompts.lastDelivered(sessionId)),
    ],
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
    lineageOf: (asked) => transcripts.query('lineage', asked),
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
      eventCount: journal.eventCount,
      journalBytes: journal.bytes,
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
      deliveries,
      resumeAsk: createResumeAsk({ approvals, deliveries }),
      judge,
      decisionCounts: new DecisionCounts({ db: journal.db, rules }),
      approvalTimeout: approvalTimeout({ dataDir, env: options.env ?? {}, log }),
      decide,
      undo,
      undoSeconds,
      stopWaitSeconds,
      prompts,
      terminal: driver,
      blueprints: new Blueprints({
        dataDir: dataDir.path,
        configDir,
        agentsDir: options.env?.AGENT_ORCHESTRATOR_AGENTS_DIR,
      }),
      rules,
      builtIn,
      ruling,
      alwaysFor,
      policies,
      reviews,
      stops,
      priceBook,
      away,
      presence,
      holdTime,
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
    await processes.catchUp().catch(onError);
    await app.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw isPortTaken(error) ? new PortTaken(port) : error;
  }
  held.push(() => app.close());
  port = (app.server.address() as { port: number }).port;
  held.push(() => dataDir.withdraw());
  dataDir.announce({ pid: process.pid, port, url: url(), version, startedAt });
  const onUnwritten = (error: unknown, path: string) =>
    log.warn({ err: error, path }, 'a strict project was not written');
  await strict.onStart(onUnwritten);
  core.observe(({ name, payload }) => {
    if (name === 'process.seen') strict.onClient(payload.version, onUnwritten).catch(onError);
  });
  await hooks.onStart().catch((error) => log.warn({ err: error }, 'hooks were not registered'));

  const strictWatch = strict.watch({
    onNews: (news, detail) => noteHooks(`hooks.strict_${news}`, detail),
    now,
    onError,
  });

  processes.start();
  transcripts.start();
  liveTranscripts.start();
  today.start();
  stops.resume();
  judge.settleDecided().catch(onError);
  const reviewCount = announceReviewCount({ reviews, hub });
  const timeOuts = timeOutApprovals({ approvals, now, onError });
  const stalls = new StallWatch(now());
  const clock = setInterval(() => {
    const due = [...live.due(now(), { settleMs, keepEndedMs }), ...stalls.due(now(), live.sessions())];
    for (const draft of due) record(draft).catch(onError);
    prompts.expireDue();
  }, CLOCK_MS);
  const saveSeen = () => attempt(() => access.save(), onError);
  const seldom = setInterval(() => {
    saveSeen();
    core.saveLeft();
  }, SELDOM_MS);
  const retention = new Retention({
    journal,
    policy: () => {
      const { journalDays, journalMegabytes } = dataDir.preferences();
      return { days: journalDays, bytes: journalMegabytes * 2 ** 20 };
    },
    isLive: (id) => live.get(id) !== undefined,
    neededFrom: () => core.snapshotSeq,
    now,
  });
  const tidy = repeatWhileDue(() => retention.step(), { restMs: RETENTION_REST_MS, onError });
  log.info({ url: url(), dataDir: dataDir.path, sessions: live.views().length }, 'started');

  return {
    url: url(),
    link: () => `${url()}/pair?code=${access.codes.create({ role: 'operator' }).code}`,
    hooks,
    async stop() {
      clearInterval(clock);
      clearInterval(seldom);
      access.stop();
      tidy.stop();
      strictWatch.stop();
      await stops.close();
      turnEnd.close();
      timeOuts.stop();
      reviewCount.stop();
      hold.stop();
      holding.stop();
      deliveries.stop();
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

/** Small steps with pauses, so that hooks come first. */
function repeatWhileDue(
  step: () => boolean,
  { restMs, onError }: { restMs: number; onError: (error: unknown) => void },
): { stop(): void } {
  let timer: NodeJS.Timeout;
  const run = () => {
    let isMore = false;
    attempt(() => {
      isMore = step();
    }, onError);
    timer = setTimeout(run, isMore ? BREATHE_MS : restMs);
  };
  timer = setTimeout(run, restMs);
  return { stop: () => clearTimeout(timer) };
}

export class AlreadyRunning extends DomainError {
  readonly url: string | undefined;

  constructor(dataDir: DataDir) {
    const running = dataDir.daemonFile();
    const where = running ? `at ${running.url} (pid ${running.pid})` : '(it is just starting or stopping)';
    super('daemon.already_running', 409, `Ground Control is already running ${where} on ${dataDir.path}.`);
    this.url = running?.url;
  }
}

class PortTaken extends DomainError {
  constructor(port: number) {
    super('daemon.port_taken', 409, `Port ${port} is in use by another program. Choose another: --port ${port + 1}`);
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
