import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '../client/client.ts';
import { createLink } from '../contract/routes/access.ts';
import { REWAKE_PATH } from '../contract/routes/hooks.ts';
import type { HookEntries } from '../daemon/drivers/terminal/settings/hook-entries.ts';
import { makeProjects, startClock, startFleet } from '../demo/fleet.ts';
import { writePast } from '../demo/past.ts';
import type { HookAddress } from '../demo/post-hooks.ts';
import { seedRules } from '../demo/seed-rules.ts';
import { SCENES, type Scene } from '../demo/world.ts';
import { connect } from './api.ts';
import { portOption, withJson } from './common-options.ts';
import { announceDemo } from './demo-pointer.ts';
import { CliError } from './exit.ts';
import { openInBrowser } from './open-in-browser.ts';
import { complain, paint, print, printJson } from './output.ts';
import { builtWebApp, builtWorker, ownProgram, ownVersion } from './own-files.ts';

interface DemoOptions {
  agents: number;
  speed: number;
  seed: number;
  scene: Scene;
  port?: number;
  dir?: string;
  keep?: boolean;
  open: boolean;
  json?: boolean;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function addDemo(program: Command): void {
  withJson(program.command('demo'))
    .description('try Ground Control with simulated agents, in a throwaway folder')
    .option('--agents <n>', 'number of agents', numberIn(1, 200, { whole: true }), 14)
    .option('--speed <x>', 'how fast the agents work', numberIn(0.1, 50), 1)
    .option('--seed <n>', 'seed for the fleet and its history', numberIn(0, 1e9, { whole: true }), 1)
    .addOption(
      new Option('--scene <scene>', 'live: agents keep working; still: each waits until you answer')
        .choices([...SCENES])
        .default('live'),
    )
    .addOption(portOption({ fallback: 'any free port' }))
    .option('--dir <dir>', 'folder to create for it (default: a temporary one)')
    .option('--keep', 'keep the folder afterwards')
    .option('--no-open', "don't open a browser")
    .addHelpText(
      'after',
      `
Needs neither an account nor Claude Code. It doesn't read or write your ~/.claude or ~/.groundcontrol, and installs no hooks.
While it runs, other gctl commands find it if no daemon of your own is running. Ctrl-C ends it and removes its folder.

Examples:
  gctl demo
  gctl demo --agents 40 --speed 4
  gctl demo --scene still --port 9000 --no-open`,
    )
    .action(runDemo);
}

async function runDemo(options: DemoOptions): Promise<void> {
  const stop = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => stop.abort());
  const folder = makeFolder(options.dir);
  try {
    await play(options, folder, stop);
  } finally {
    stop.abort();
    if (!options.keep) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  if (options.keep && !options.json) print(`Kept in ${folder}`);
}

async function play(options: DemoOptions, folder: string, { signal }: AbortController): Promise<void> {
  const { agents, speed, seed, scene, port = 0, open, json } = options;
  const dataDir = join(folder, 'groundcontrol');
  const configDir = join(folder, 'claude');
  const projects = makeProjects(join(folder, 'projects'));
  mkdirSync(configDir, { mode: 0o700 });
  const past = writePast({ configDir, projects, now: Date.now(), seed });
  const [{ runDaemon }, { DataDir }, { hookEntries }] = await Promise.all([
    import('../daemon/main.ts'),
    import('../daemon/data-dir.ts'),
    import('../daemon/drivers/terminal/settings/hook-entries.ts'),
  ]);
  const dir = new DataDir(dataDir);
  dir.savePreferences({ hooks: 'no' });
  const clock = startClock({ speed, signal });
  const daemon = await runDaemon({
    dataDir,
    configDir,
    port,
    version: ownVersion(),
    program: ownProgram,
    webDir: builtWebApp(),
    worker: builtWorker,
    now: clock.now,
    demo: true,
  });
  const api = await connect(dataDir);
  await seedRules(api, projects);
  // what the client's settings would contain
  const entries = hookEntries({
    port: Number(new URL(api.url).port),
    token: dir.credentials().hookToken,
    tokenFile: dir.tokenFile,
  });
  const address = hookAddress(entries, { rewakeUrl: api.url + REWAKE_PATH });
  const fleet = startFleet(
    { agents, speed, seed, scene, configDir, projects, onError: (error) => complain(describe(error)) },
    { address, api, clock, signal },
  );
  await fleet.ready;
  if (!signal.aborted) {
    announceDemo(dataDir, signal);
    await greet(api, { agents, past, open, json, dataDir, configDir });
  }
  await Promise.all([daemon.ended, fleet.ended]);
}

function hookAddress(entries: HookEntries, { rewakeUrl }: Pick<HookAddress, 'rewakeUrl'>): HookAddress {
  const hook = entries.Stop?.hooks[0];
  if (hook?.type !== 'http') throw new Error('The hook at Stop is not an http hook.');
  return { url: hook.url, headers: hook.headers, rewakeUrl };
}

interface Greeting {
  agents: number;
  past: number;
  open: boolean;
  json: boolean | undefined;
  dataDir: string;
  configDir: string;
}

async function greet(api: Client, { agents, past, open, json, dataDir, configDir }: Greeting): Promise<void> {
  // created once the clock has caught up with the present: an earlier link would expire immediately
  const { url } = await api.call(createLink, { body: { role: 'admin' } });
  if (json) return printJson({ url: api.url, link: url, agents, pastSessions: past, dataDir, configDir });
  print(`${agents} simulated ${agents === 1 ? 'agent' : 'agents'}, with ${past} past sessions.`);
  print(`Open: ${paint('cyan', url)}`);
  print(paint('dim', 'Answer them, stop them, send them prompts. Press Ctrl-C to end the demo and remove its files.'));
  print(paint('dim', `In another terminal: gctl status --data-dir ${dataDir}`));
  if (open) openInBrowser(url);
}

function makeFolder(dir: string | undefined): string {
  if (dir === undefined) return mkdtempSync(join(tmpdir(), 'gctl-demo-'));
  const folder = resolve(dir);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // it is removed at the end, so it must be new
    if (code === 'EEXIST') throw new CliError(`${folder} already exists. Choose a new folder, or leave out --dir.`);
    if (code === 'ENOENT') throw new CliError(`Can't create ${folder}: its parent folder doesn't exist.`);
    throw error;
  }
  return folder;
}

function numberIn(min: number, max: number, { whole = false } = {}) {
  return (text: string): number => {
    const value = Number(text);
    const isGood = text.trim() !== '' && value >= min && value <= max && (!whole || Number.isInteger(value));
    if (isGood) return value;
    throw new InvalidArgumentError(`Use a ${whole ? 'whole ' : ''}number from ${min} to ${max}.`);
  };
}

const describe = (error: unknown): string => `a demo agent crashed: ${error instanceof Error ? error.message : error}`;
