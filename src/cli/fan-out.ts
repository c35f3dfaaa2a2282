import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Client } from '../client/client.ts';
import { FAN_OUT_RUNS, type FanOut, type FanOutVariant, type KeepRequest } from '../contract/fan-outs.ts';
import * as routes from '../contract/routes/fan-outs.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { canAsk, confirm } from './confirm.ts';
import { CliError, EXIT } from './exit.ts';
import { collect, parsePositive, readPrompt } from './new.ts';
import { readOrchestratorSettings } from './orchestrator-settings.ts';
import { oneLine, paint, print, printJson } from './output.ts';
import { collectParameters, readParameters } from './parameters.ts';
import { printTable } from './table.ts';

const LOOK_MS = 1000;

interface Options extends DataDirOption {
  json?: boolean;
}

interface StartOptions extends Options {
  prompt?: string;
  agent: string[];
  model: string[];
  runs?: number;
  base?: string;
  setup: boolean;
  cwd?: string;
  allow: string[];
  deny: string[];
  param: string[];
  maxCost?: number;
  consent?: string;
  wait?: boolean;
}

interface KeepOptions extends Options {
  squash?: boolean;
  merge?: boolean;
  rebase?: boolean;
  branch?: string;
  into?: string;
  message?: string;
}

export function addFanOut(program: Command): void {
  const fanOut = program
    .command('fan-out')
    .description('give one prompt to several agents or models, and keep the best result')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl fan-out start fix-login -p "Fix the login test" --model opus --model sonnet\n  gctl fan-out show fix-login\n  gctl fan-out keep fix-login fix-login-2 --squash',
    );
  addStart(fanOut);
  addLooking(fanOut);
  addKeep(fanOut);
}

const common = (command: Command): Command => withJson(command).addOption(dataDirOption());

function addStart(fanOut: Command): void {
  common(fanOut.command('start <name>'))
    .description('start the runs, each in its own worktree')
    .option('-p, --prompt <text>', 'what to do (default: read from stdin)')
    .option('--model <name>', 'a run with this model (repeatable)', collect, [])
    .option('--agent <name>', 'a run with this blueprint (repeatable)', collect, [])
    .option('--runs <n>', 'how many runs of each (default: 1, or 2 without --model and --agent)', parsePositive)
    .option('--base <ref>', 'branch or commit they start from (default: HEAD)')
    .option('--no-setup', "don't run the project's setup commands")
    .option('--cwd <dir>', 'a folder of the repository (default: here)')
    .option('--allow <tool>', 'allow without asking: Read, "Bash(npm test*)" (repeatable)', collect, [])
    .option('--deny <tool>', 'always refuse (repeatable)', collect, [])
    .option('--param <key=value>', "the blueprints' parameter, key:=json for JSON (repeatable)", collectParameters, [])
    .option('--max-cost <dollars>', 'ask before one of them costs more', parsePositive)
    .option('--consent <fingerprint>', "approve the MCP servers and permissions in a project's blueprint")
    .option('--wait', 'wait until all have finished, then compare them')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl fan-out start fix-login -p "Fix the login test" --model opus --model sonnet\n  gctl fan-out start tidy --agent tidier --runs 3 --wait < task.md',
    )
    .action(async (name: string, options: StartOptions) => {
      const api = await connect(options.dataDir, { demo: false });
      const { projectDir, agentsDir } = await readOrchestratorSettings(options);
      const { base, setup, allow, deny, param, maxCost, consent } = options;
      const body = {
        name,
        prompt: await readPrompt(options.prompt),
        cwd: projectDir,
        runs: runsOf(options),
        allowedTools: allow,
        deniedTools: deny,
        parameters: readParameters(param, undefined),
        setup: setup ? ('run' as const) : ('skip' as const),
        ...(base === undefined ? {} : { base }),
        ...(agentsDir === undefined ? {} : { agentsDir }),
        ...(maxCost === undefined ? {} : { budget: { dollars: maxCost } }),
        ...(consent === undefined ? {} : { consent }),
      };
      const begun = await api.call(routes.startFanOut, { body });
      const shown = options.wait
        ? await settled(api, begun.id, ({ state }) => state !== 'starting' && state !== 'running')
        : begun;
      if (options.json) return printJson(shown);
      if (options.wait) return show(shown);
      print(`Started ${shown.runs.map((run) => run.name).join(', ')} from ${shown.base.commit.slice(0, 12)}.`);
      print(paint('dim', `Compare them: gctl fan-out show ${name}   Keep one: gctl fan-out keep ${name} RUN --squash`));
    });
}

/** One for each model and each blueprint. */
function runsOf({ model, agent, runs }: StartOptions): FanOutVariant[] {
  const variants = [...model.map((one) => ({ model: one })), ...agent.map((one) => ({ blueprint: one }))];
  const each = Math.round(runs ?? (variants.length === 0 ? FAN_OUT_RUNS.min : 1));
  const all = (variants.length === 0 ? [{}] : variants).flatMap((one) => Array.from({ length: each }, () => one));
  if (all.length < FAN_OUT_RUNS.min || all.length > FAN_OUT_RUNS.max)
    throw new CliError(
      `That is ${all.length} run${all.length === 1 ? '' : 's'}. Choose ${FAN_OUT_RUNS.min} to ${FAN_OUT_RUNS.max} with --model, --agent and --runs.`,
      EXIT.usage,
    );
  return all;
}

function addLooking(fanOut: Command): void {
  common(fanOut.command('list', { isDefault: true }))
    .description('list them')
    .option('--project <dir>', 'only this project')
    .addHelpText('after', '\nExample:\n  gctl fan-out list')
    .action(async ({ dataDir, json, project }: Options & { project?: string }) => {
      const query = project === undefined ? {} : { project: resolve(project) };
      const list = await (await connect(dataDir)).call(routes.listFanOuts, { query });
      if (json) return printJson(list);
      if (list.fanOuts.length === 0) print('No fan-outs. Start one: gctl fan-out start');
      await printTable(
        list.fanOuts.map(({ name, state, kept, runs, prompt }) => [
          name,
          state,
          kept?.run ?? `${runs.length} runs`,
          oneLine(prompt).slice(0, 60),
        ]),
      );
    });

  common(fanOut.command('show <name>'))
    .description('compare the runs: how they ended, what they cost, what they changed, what they answered')
    .addHelpText('after', '\nExample:\n  gctl fan-out show fix-login')
    .action(async (name: string, { dataDir, json }: Options) => {
      const api = await connect(dataDir);
      const found = await api.call(routes.getFanOut, { params: { id: name }, query: here() });
      if (json) return printJson(found);
      await show(found);
    });
}

function addKeep(fanOut: Command): void {
  common(fanOut.command('keep <name> <run>'))
    .description('keep the work of one run, and remove the worktrees of the others; snapshots are kept')
    .addOption(new Option('--squash', 'merge it as one commit').conflicts(['merge', 'rebase', 'branch']))
    .addOption(new Option('--merge', 'merge it with a merge commit').conflicts(['squash', 'rebase', 'branch']))
    .addOption(new Option('--rebase', 'merge its commits one by one').conflicts(['squash', 'merge', 'branch']))
    .addOption(
      new Option('--branch <name>', 'create a branch from it').conflicts(['squash', 'merge', 'rebase', 'into']),
    )
    .option('--into <branch>', 'merge into another local branch')
    .option('-m, --message <text>', 'message of the commit')
    .addHelpText(
      'after',
      '\nExamples:\n  gctl fan-out keep fix-login fix-login-2 --squash\n  gctl fan-out keep fix-login fix-login-1 --branch feature/login',
    )
    .action(async (name: string, run: string, options: KeepOptions) => {
      const api = await connect(options.dataDir);
      const params = { id: name };
      const body = keepRequest(run, options);
      const kept = await api.call(routes.keepFanOut, { params, query: here(), body });
      const cleared = await settled(api, kept.id, ({ isClearing }) => !isClearing);
      if (options.json) return printJson(cleared);
      const how = cleared.kept?.how === 'merge' ? 'Merged' : 'Created a branch from';
      print(`${how} ${cleared.kept?.run}: ${cleared.kept?.branch} is at ${cleared.kept?.commit.slice(0, 12)}.`);
      showCleared(cleared);
    });

  common(fanOut.command('discard <name>'))
    .description('keep none: stop running sessions and remove every worktree; snapshots are kept')
    .option('-y, --yes', "don't ask")
    .addHelpText('after', '\nExample:\n  gctl fan-out discard fix-login')
    .action(async (name: string, options: Options & { yes?: boolean }) => {
      const api = await connect(options.dataDir);
      if (!options.yes) {
        if (!canAsk()) throw new CliError('Without a terminal, discard needs --yes.', EXIT.usage);
        await show(await api.call(routes.getFanOut, { params: { id: name }, query: here() }));
        if (!(await confirm('Snapshots are kept. Discard all of them?'))) throw new CliError('Not discarded.');
      }
      const { id } = await api.call(routes.discardFanOut, { params: { id: name }, query: here() });
      const cleared = await settled(api, id, ({ isClearing }) => !isClearing);
      if (options.json) return printJson(cleared);
      showCleared(cleared);
    });
}

function keepRequest(run: string, options: KeepOptions): KeepRequest {
  const { squash, merge, rebase, branch, into, message } = options;
  const more = message ? { message } : {};
  if (branch !== undefined) return { run, how: 'branch', branch, ...more };
  const strategy = squash ? 'squash' : merge ? 'merge' : rebase ? 'rebase' : undefined;
  if (strategy === undefined)
    throw new CliError('Choose how: --squash, --merge, --rebase or --branch NAME.', EXIT.usage);
  return { run, how: 'merge', strategy, ...(into ? { into } : {}), ...more };
}

const here = () => ({ project: process.cwd() });

async function settled(api: Client, id: string, isDone: (fanOut: FanOut) => boolean): Promise<FanOut> {
  for (;;) {
    const found = await api.call(routes.getFanOut, { params: { id } });
    if (isDone(found)) return found;
    await sleep(LOOK_MS);
  }
}

async function show({ name, state, kept, base, runs }: FanOut): Promise<void> {
  print(
    `${paint('bold', name)}  ${state}${kept ? `: ${kept.run}` : ''}  from ${base.ref} (${base.commit.slice(0, 12)})`,
  );
  await printTable(
    runs.map(({ name: run, model, blueprint, session, changes, error }) => [
      run,
      blueprint ?? model ?? 'default',
      error ? oneLine(error) : (session?.lifecycle.replaceAll('_', ' ') ?? 'starting'),
      session?.spent.dollars == null ? '' : `$${session.spent.dollars.toFixed(3)}`,
      session ? `${session.spent.minutes.toFixed(1)} min` : '',
      changes
        ? `${changes.files} file${changes.files === 1 ? '' : 's'} ${paint('green', `+${changes.added}`)} ${paint('red', `-${changes.removed}`)}`
        : '',
    ]),
    { head: ['run', 'agent', 'state', 'cost', 'worked', 'changes'] },
  );
  for (const { name: run, answer } of runs) if (answer) print(`\n${paint('bold', run)}\n${answer}`);
}

function showCleared({ runs, leftovers }: FanOut): void {
  for (const { name, snapshotId } of runs)
    if (snapshotId)
      print(paint('dim', `Removed ${name}. To get it back: gctl worktrees restore ${snapshotId.slice(0, 8)}`));
  for (const { run, why } of leftovers) print(`${run} is still there: ${oneLine(why)}`);
  if (leftovers.length > 0) process.exitCode = EXIT.failed;
}
