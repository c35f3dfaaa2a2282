import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Link } from '../contract/access.ts';
import { DATA_FILES } from '../contract/daemon.ts';
import { type Api, connect, findDaemon } from './api.ts';
import { CliError } from './exit.ts';
import { settleHooks } from './hooks-consent.ts';
import { openInBrowser } from './open-in-browser.ts';
import { paint, print } from './output.ts';
import { builtWebApp, ownProgram, ownVersion } from './own-files.ts';
import { claudeConfigDir, type DataDirOption, dataDirOption, portOption } from './places.ts';

interface UpOptions extends DataDirOption {
  port: number;
  open: boolean;
  detach?: boolean;
  hooks?: boolean;
}

const START_PATIENCE_MS = 20_000;

export function addUp(program: Command): void {
  program
    .command('up')
    .description('start the daemon and print the link to open')
    .addOption(portOption())
    .addOption(dataDirOption())
    .option('--no-open', 'do not open a browser')
    .option('--detach', 'run in the background')
    .option('--hooks', "register in Claude's settings without asking")
    .option('--no-hooks', "stay out of Claude's settings")
    .addHelpText(
      'after',
      '\nExamples:\n  gctl up\n  gctl up --detach --hooks\n  gctl up --port 9000 --data-dir ~/gc-work --no-open',
    )
    .action(async (options: UpOptions, command: Command) => {
      const given = { ...options, isPortGiven: command.getOptionValueSource('port') === 'cli' };
      const running = await findDaemon(options.dataDir);
      if (running) return alreadyRuns(running, given);
      return options.detach ? startDetached(options) : startHere(options);
    });
}

async function alreadyRuns(
  api: Api,
  { port, isPortGiven, dataDir, hooks }: UpOptions & { isPortGiven: boolean },
): Promise<void> {
  if (isPortGiven && new URL(api.url).port !== String(port)) {
    throw new CliError(
      `Ground Control already runs at ${api.url} on ${dataDir}. Stop it first (gctl down), or use another --data-dir.`,
    );
  }
  print(`Ground Control already runs at ${paint('bold', api.url)}`);
  print(`Open: ${await newLink(api)}`);
  await settleHooks(api, { answer: hooks });
}

async function startHere({ dataDir, port, open, hooks }: UpOptions): Promise<void> {
  const { runDaemon } = await import('../daemon/main.ts');
  const daemon = await runDaemon({
    dataDir,
    port,
    configDir: claudeConfigDir(),
    version: ownVersion(),
    program: ownProgram,
    webDir: builtWebApp(),
  });
  const api = await connect(dataDir);
  await greet(api, { open, hooks });
  print(paint('dim', 'Ctrl-C stops it; sessions go on without it.'));
  await daemon.ended;
}

async function startDetached({ dataDir, port, open, hooks }: UpOptions): Promise<void> {
  const { DataDir } = await import('../daemon/data-dir.ts');
  const log = new DataDir(dataDir).file(DATA_FILES.log);
  const output = openSync(log, 'a', 0o600);
  const [node, ...args] = [...ownProgram, 'up', '--no-open', '--port', String(port), '--data-dir', dataDir];
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
    if (api) return greet(api, { open, hooks });
    if (exitCode !== undefined) throw new CliError(`The daemon did not start: ${lastLine(log)}`);
  }
  throw new CliError(`The daemon does not answer after ${START_PATIENCE_MS / 1000} s. Its log: ${log}`);
}

async function greet(api: Api, { open, hooks }: { open: boolean; hooks: boolean | undefined }): Promise<void> {
  const link = await newLink(api);
  print(`Ground Control runs at ${paint('bold', api.url)}`);
  print(`Open: ${paint('cyan', link)}`);
  if (open) openInBrowser(link);
  await settleHooks(api, { answer: hooks });
}

async function newLink(api: Api): Promise<string> {
  return (await api.post('/api/links', Link)).url;
}

function lastLine(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? `see ${path}`;
}
