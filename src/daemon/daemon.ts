import type { Logger } from 'pino';
import type { DataDir } from './data-dir.ts';
import type { HooksControl } from './drivers/terminal/settings/hooks-control.ts';
import { DomainError } from './errors.ts';
import { listen } from './http/listen.ts';
import { type App, buildServer } from './http/server.ts';
import { explainCorruption } from './journal/journal-file.ts';
import { accessPart } from './parts/access.ts';
import { announcementPart } from './parts/announcement.ts';
import { approvalsPart } from './parts/approvals.ts';
import { type Base, urlOf } from './parts/base.ts';
import { blueprintsPart } from './parts/blueprints.ts';
import { commentsPart } from './parts/comments.ts';
import { compatPart } from './parts/compat.ts';
import { controlPart } from './parts/control.ts';
import { corePart } from './parts/core.ts';
import { fanOutsPart } from './parts/fan-outs.ts';
import { hooksPart } from './parts/hooks.ts';
import { intakePart } from './parts/intake.ts';
import { notifyPart } from './parts/notify.ts';
import { orchestratorPart } from './parts/orchestrator.ts';
import { pagePart } from './parts/page.ts';
import { Parts } from './parts/part.ts';
import { permissionsPart } from './parts/permissions.ts';
import { queuePart } from './parts/queue.ts';
import { remotePart } from './parts/remote.ts';
import { reviewsPart } from './parts/reviews.ts';
import { rulesPart } from './parts/rules.ts';
import { runnersPart } from './parts/runners.ts';
import { sessionsPart } from './parts/sessions.ts';
import { terminalPart } from './parts/terminal.ts';
import { transcriptsPart } from './parts/transcripts.ts';
import { worktreesPart } from './parts/worktrees.ts';

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
  /** For tests: what is recorded must be as the event catalog says. */
  checksEvents?: boolean;
}

export interface Daemon {
  url: string;
  /** A link that lets one browser in. */
  link(): string;
  hooks: HooksControl;
  /** How many events the journal has. */
  recorded(): number;
  stop(): Promise<void>;
}

export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { dataDir, log } = options;
  const lock = dataDir.lock();
  if (!lock) throw new AlreadyRunning(dataDir);
  const parts = new Parts((error) => log.error({ err: error }, 'a part could not be stopped'));
  parts.onEnd(() => lock.release());
  try {
    return await startParts(parts, options);
  } catch (error) {
    await parts.stop();
    throw explainCorruption(error, dataDir);
  }
}

/** Each part is made from those it needs. To add a domain, write its part and add its line. */
async function startParts(parts: Parts, options: DaemonOptions): Promise<Daemon> {
  const { dataDir, configDir, host, version, program, webDir, worker, log } = options;
  const {
    now = Date.now,
    env = {},
    newJournal = false,
    isDetached = false,
    checksEvents = false,
    demo: isDemo = false,
  } = options;
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed');
  const startedAt = now();
  let port = options.port;
  let app: App;
  const server = () => app.server;
  const base: Base = { dataDir, configDir, env, worker, log, now, startedAt, onError, port: () => port, server };

  parts.add(announcementPart(base, { version }));
  const core = parts.add(corePart(base, { newJournal, checksEvents }));
  const remote = parts.add(remotePart(base, { ...core, handle: () => app.routing }));
  const access = parts.add(await accessPart(base, { ...core, ...remote, isDetached, isDemo }));
  const hooks = parts.add(hooksPart(base, { ...core, program }));
  const approvals = parts.add(approvalsPart(base, { ...core, ...access }));
  const rules = parts.add(await rulesPart(base, { ...core, ...approvals, newJournal }));
  const sessions = parts.add(sessionsPart(base, { ...core, ...rules }));
  const reviews = parts.add(reviewsPart(base, { ...core, ...rules }));
  const terminal = parts.add(terminalPart(base, { ...core, ...hooks, ...approvals }));
  const running = parts.add(runnersPart(base, { ...core, ...access, ...reviews }));
  const control = parts.add(controlPart(base, { ...core, ...approvals, ...terminal, ...running }));
  const asking = { ...core, ...approvals, ...rules, ...reviews, ...terminal, ...control };
  const permissions = parts.add(permissionsPart(base, asking));
  const intake = parts.add(intakePart(base, { ...asking, ...access, ...hooks, ...running, ...permissions }));
  const transcripts = parts.add(transcriptsPart(base, { ...core, ...access }));
  const blueprints = parts.add(blueprintsPart(base, core));
  const worktrees = parts.add(worktreesPart(base, core));
  const queue = parts.add(queuePart(base, core));
  const starting = { ...running, ...blueprints, ...transcripts, ...worktrees, ...queue, version };
  const orchestrator = parts.add(orchestratorPart(base, { ...asking, ...access, ...permissions, ...starting }));
  parts.add(commentsPart(base, { ...core, ...control, ...worktrees, ...orchestrator }));
  parts.add(fanOutsPart(base, { ...core, ...worktrees, ...orchestrator }));
  const notify = parts.add(notifyPart(base, { ...asking, ...access, ...remote, ...permissions }));
  parts.add(compatPart({ ...asking, ...access, ...permissions, ...intake }));
  const shown = { ...core, ...remote, ...access, ...sessions, ...approvals, ...transcripts };
  parts.add(pagePart(base, { ...shown, version, webDir, isDemo }));

  app = await buildServer({
    ...core,
    ...remote,
    ...access,
    ...approvals,
    ...intake,
    ...notify,
    routes: parts.routes,
    version,
    log,
  });
  const door = await listen(app, { host, port, beforeListening: () => parts.prepare() });
  port = door.port;
  const { live } = core.core;
  parts.onEnd(() => door.close({ gently: live.hasRunning() }));
  await parts.start();
  log.info({ url: urlOf(base), dataDir: dataDir.path, sessions: live.views().length }, 'started');
  return {
    url: urlOf(base),
    link: () => `${urlOf(base)}/pair?code=${access.codes.create({ role: 'admin' }).code}`,
    hooks: hooks.hooks,
    recorded: () => core.core.journal.committedSeq,
    async stop() {
      await parts.stop();
      log.info('stopped');
    },
  };
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
