import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Client } from '../client/client.ts';
import { CallRefused } from '../client/errors.ts';
import { DATA_FILES } from '../contract/data-files.ts';
import { createLink } from '../contract/routes/access.ts';
import { keepHeapSmall } from '../system/heap-size.ts';
import { connect, findDaemon } from './api.ts';
import { claudeConfigDir, type DataDirOption, dataDirOption, defaultPort, portOption } from './common-options.ts';
import { CliError, EXIT, isExpected } from './exit.ts';
import { type SettleOptions, settleHooks } from './hooks-consent.ts';
import { openInBrowser } from './open-in-browser.ts';
import { complain, paint, print } from './output.ts';
import { builtWebApp, builtWorker, ownProgram, ownVersion } from './own-files.ts';

interface UpOptions extends DataDirOption {
  /** Undefined: not given. */
  port?: number;
  host?: string;
  open: boolean;
  detach?: boolean;
  hooks?: boolean;
  newJournal?: boolean;
  /** The other half of `--detach`. */
  background?: boolean;
}

const START_PATIENCE_MS = 20_000;

export function addUp(program: Command): void {
  program
    .command('up')
    .description('start the daemon and print a sign-in link')
    .addOption(portOption())
    .option('--host <address>', 'only addresses of this machine itself; see gctl remote for others')
    .addOption(dataDirOption())
    .option('--no-open', "don't open a browser")
    .option('--detach', 'run in the background')
    .option('--hooks', "install hooks in Claude's settings without asking")
    .option('--no-hooks', "don't touch Claude's settings")
    .option('--new-journal', 'replace a missing or damaged journal; rules are restored from their backup')
    .addOption(new Option('--background').hideHelp())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl up\n  gctl up --detach --hooks\n  gctl up --port 9000 --data-dir ~/gc-work --no-open',
    )
    .action(async (options: UpOptions) => {
      checkHost(options.host);
      const running = await findDaemon(options.dataDir);
      if (running) return alreadyRuns(running, options);
      return options.detach ? startDetached(options) : startHere(options);
    });
}

/** Without encryption a token could be read on the way, and browsers allow neither keys nor notifications. */
function checkHost(host: string | undefined): void {
  if (host === undefined || /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)) return;
  throw new CliError(
    `Ground Control doesn't serve plain HTTP beyond this machine, so --host ${host} is refused. Start it with gctl up, then run gctl remote tailscale, or gctl remote lan --host ${host} for HTTPS.`,
    EXIT.usage,
  );
}

async function alreadyRuns(api: Client, { port, dataDir, hooks }: UpOptions): Promise<void> {
  if (port && new URL(api.url).port !== String(port)) {
    throw new CliError(
      `Ground Control is already running at ${api.url} on ${dataDir}. Stop it first (gctl down), or use another --data-dir.`,
    );
  }
  print(`Ground Control is already running at ${paint('bold', api.url)}`);
  await settleAndLink(api, { open: false, answer: hooks });
}

async function startHere({
  dataDir,
  port = defaultPort(),
  open,
  hooks,
  background,
  newJournal,
}: UpOptions): Promise<void> {
  // before the daemon's modules are loaded: they are most of its garbage
  keepHeapSmall();
  const { runDaemon } = await import('../daemon/main.ts');
  const daemon = await runDaemon({
    dataDir,
    port,
    configDir: claudeConfigDir(),
    version: ownVersion(),
    program: ownProgram,
    webDir: builtWebApp(),
    worker: builtWorker,
    isDetached: background ?? false,
    ...(newJournal ? { newJournal } : {}),
  });
  if (background) return daemon.ended;
  const stopped = new AbortController();
  const ended = daemon.ended.finally(() => stopped.abort());
  try {
    const api = await connect(dataDir, { patienceMs: START_PATIENCE_MS });
    await greet(api, { open, answer: hooks, signal: stopped.signal });
  } catch (error) {
    // the daemon is running anyway
    if (!isExpected(error)) throw error;
    complain(error.message);
  }
  if (!stopped.signal.aborted) print(paint('dim', 'Press Ctrl-C to stop. Sessions keep running.'));
  await ended;
}

async function startDetached({ dataDir, port = defaultPort(), open, hooks, newJournal }: UpOptions): Promise<void> {
  const { DataDir } = await import('../daemon/data-dir.ts');
  const dir = new DataDir(dataDir);
  dir.make();
  dir.refuseLinks();
  const log = dir.file(DATA_FILES.log);
  const output = openSync(log, 'a', 0o600);
  const [node, ...args] = [...ownProgram, 'up', '--background', '--port', String(port), '--data-dir', dataDir];
  if (newJournal) args.push('--new-journal');
  const child = spawn(node, args, { detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  let exitCode: number | null | undefined;
  child.on('exit', (code) => {
    exitCode = code;
  });
  child.unref();
  for (
    const end = Date.now() + START_PATIENCE_MS;
    Date.now() < end;
    await new Promise((next) => setTimeout(next, 50))
  ) {
    const api = await findDaemon(dataDir);
    if (api) return greet(api, { open, answer: hooks });
    if (exitCode !== undefined) throw new CliError(`The daemon didn't start: ${lastLine(log)}`);
  }
  // otherwise it would stay half started and lock the data dir
  child.kill();
  throw new CliError(`The daemon didn't answer within ${START_PATIENCE_MS / 1000}s. See ${log}`);
}

async function greet(api: Client, options: SettleOptions & { open: boolean }): Promise<void> {
  print(`Ground Control is running at ${paint('bold', api.url)}`);
  await settleAndLink(api, options);
}

/** The link comes last: the diff before it fills the screen. */
async function settleAndLink(api: Client, { open, ...hooks }: SettleOptions & { open: boolean }): Promise<void> {
  const failure = await settleHooks(api, hooks).catch((error: unknown) => ({ error }));
  if (hooks.signal?.aborted) return;
  const url = await linkOf(api);
  print(`Open: ${paint('cyan', url ?? api.url)}`);
  if (url === undefined) print('To sign in a new browser, run gctl link in a terminal.');
  if (open && url !== undefined) openInBrowser(url);
  if (failure) throw failure.error;
}

/** undefined: a browser is already signed in, and without a terminal no other can be. */
async function linkOf(api: Client): Promise<string | undefined> {
  try {
    return (await api.call(createLink, { body: { role: 'admin' } })).url;
  } catch (error) {
    if (error instanceof CallRefused && error.code === 'access.no_terminal') return undefined;
    throw error;
  }
}

function lastLine(path: string): string {
  const line = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1);
  return line?.replace(/^gctl: /, '') || `see ${path}`;
}
