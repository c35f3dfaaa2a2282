import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { backgroundCall, killShell, listShells, readShell } from '../contract/routes/shells.ts';
import type { ShellOutput, ShellView } from '../contract/shells.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { sayDuration } from './duration.ts';
import { CliError, EXIT } from './exit.ts';
import { findSession } from './find-session.ts';
import { oneLine, paint, print, printJson, readable } from './output.ts';

const POLL_MS = 300;

interface ShellsOptions extends DataDirOption {
  follow?: true;
  search?: string;
  kill?: true;
  background?: true;
  json?: true;
}

export function addShells(program: Command): void {
  withJson(program.command('shells <session> [shell]'))
    .description('list the commands a session of the built-in agent runs, read their output, or end them')
    .option('-f, --follow', 'follow its output until it ends')
    .option('--search <text>', 'print only lines that contain this')
    .option('--background', 'send a running command to the background: the turn continues')
    .option('--kill', 'end it and everything it started')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Examples:
  gctl shells 3f2a                    list them, with the processes that still run
  gctl shells 3f2a sh-1b2c -f         follow its output
  gctl shells 3f2a sh-1b2c --kill     end it`,
    )
    .action(async (ref: string, prefix: string | undefined, options: ShellsOptions) => {
      const api = await connect(options.dataDir);
      const { id } = await findSession(api, ref);
      const { shells } = await api.call(listShells, { params: { id } });
      if (prefix === undefined) {
        if (options.json) printJson({ shells });
        else printList(shells);
        return;
      }
      const shell = findShell(shells, prefix);
      if (options.background) await sendToBackground(api, id, shell);
      else if (options.kill) await kill(api, id, shell);
      else await printOutput(api, id, shell, options);
    });
}

function findShell(shells: ShellView[], prefix: string): ShellView {
  const found = shells.filter(({ id }) => id === prefix || id.startsWith(prefix) || id.startsWith(`sh-${prefix}`));
  if (found.length === 1) return found[0]!;
  const ids = shells.map(({ id }) => id).join(', ') || 'none';
  throw new CliError(`${found.length === 0 ? 'No shell' : 'More than one shell'} matches ${prefix}. Shells: ${ids}.`);
}

function printList(shells: ShellView[]): void {
  if (shells.length === 0) print('No shells.');
  for (const shell of shells) {
    print(`${paint('bold', shell.id)}  ${stateOf(shell)}  ${oneLine(shell.command).slice(0, 200)}`);
    for (const { pid, command } of shell.processes)
      print(paint('dim', `    ${pid}  ${oneLine(command).slice(0, 160)}`));
  }
}

function stateOf({ state, isBackground, exitCode, signal, createdAt, processes }: ShellView): string {
  if (state === 'running')
    return `${isBackground ? 'in the background' : 'running'} for ${sayDuration(Math.round((Date.now() - createdAt) / 1000))}`;
  if (processes.length > 0) return `ended, ${processes.length} left running`;
  if (state === 'killed') return 'killed';
  return signal ? `ended by ${signal}` : `exit code ${exitCode}`;
}

async function printOutput(api: Client, id: string, shell: ShellView, options: ShellsOptions): Promise<void> {
  const params = { id, shellId: shell.id };
  const { search, follow, json } = options;
  if (search !== undefined) return show(await api.call(readShell, { params, query: { search } }), json);
  for (let after = 0; ; await sleep(POLL_MS)) {
    const output = await api.call(readShell, { params, query: { after } });
    show(output, json);
    after = output.cursor;
    if (!follow) return;
    const { shells } = await api.call(listShells, { params: { id } });
    const now = shells.find((one) => one.id === shell.id);
    if (now?.state !== 'running' && output.pieces.length === 0) return;
  }
}

function show(output: ShellOutput, json: boolean | undefined): void {
  if (json) {
    printJson(output);
    return;
  }
  if (output.missed > 0) print(paint('dim', `[${output.missed} earlier characters are not kept]`));
  for (const { stream, text } of output.pieces)
    for (const line of readable(text).replace(/\n$/, '').split('\n'))
      print(stream === 'stderr' ? paint('red', `┆ ${line}`) : line);
}

async function sendToBackground(
  api: Client,
  id: string,
  { id: shellId, callId, state, isBackground }: ShellView,
): Promise<void> {
  if (state !== 'running' || isBackground || callId === null)
    throw new CliError(`${shellId} ${state === 'running' ? 'is already in the background' : 'has ended'}.`);
  await api.call(backgroundCall, { params: { id, callId } });
  print(`${shellId}  in the background`);
}

async function kill(api: Client, id: string, { id: shellId }: ShellView): Promise<void> {
  const { left } = await api.call(killShell, { params: { id, shellId } });
  if (left.length > 0) throw new CliError(`${shellId}: still running: ${left.join(', ')}`, EXIT.failed);
  print(`${shellId}  ended, nothing left running`);
}
