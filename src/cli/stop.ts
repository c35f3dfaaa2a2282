import type { Command } from 'commander';
import { StopList } from '../contract/control.ts';
import type { Stop } from '../contract/sessions.ts';
import { type Api, connect } from './api.ts';
import { CliError, EXIT } from './exit.ts';
import { findSessions } from './find-session.ts';
import { paint, print, printJson } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

interface StopOptions extends DataDirOption {
  all?: true;
  kill?: true;
  reason?: string;
  json?: boolean;
}

export function addStop(program: Command): void {
  withJson(program.command('stop [id...]'))
    .description('stop what a session does: its turn, its tools, its subagents; the beginning of an id will do')
    .option('--all', 'every session')
    .option('--kill', 'end its process too, and all that it started')
    .option('--reason <text>', 'told to the agent and kept in the record')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl stop 3f2a\n  gctl stop 3f2a 91bc --kill\n  gctl stop --all --reason "Freeze for the release"',
    )
    .action(stop);
}

async function stop(prefixes: string[], options: StopOptions): Promise<void> {
  const { dataDir, all, kill = false, reason, json } = options;
  if (all ? prefixes.length > 0 : prefixes.length === 0)
    throw new CliError('Say which sessions: gctl stop ID…, or gctl stop --all', EXIT.usage);
  const api = await connect(dataDir);
  const which = all ? { all } : { ids: await toIds(api, prefixes) };
  const { stops } = await api.post('/api/stop', StopList, {
    ...which,
    kill,
    wait: true,
    ...(reason ? { reason } : {}),
  });
  if (json) printJson({ stops });
  else if (stops.length === 0) print('No session to stop.');
  else for (const one of stops) printReceipt(one.sessionId, one.stop);
  if (stops.some((one) => !isOver(one.stop))) process.exitCode = EXIT.failed;
}

async function toIds(api: Api, prefixes: string[]): Promise<string[]> {
  return (await findSessions(api, prefixes)).map(({ id }) => id);
}

function isOver({ state, receipt }: Stop): boolean {
  return state === 'stopped' && receipt?.leftPids.length === 0;
}

function printReceipt(id: string, stop: Stop): void {
  const { state, requestedAt, stoppedAt, receipt } = stop;
  const name = paint('bold', id.slice(0, 8));
  if (state === 'stopping' || !receipt || stoppedAt === null) {
    print(`${name}  ${paint('yellow', 'still stopping')}: it stops when it next speaks`);
    return;
  }
  const outcome = isOver(stop) ? paint('green', 'stopped') : paint('red', 'not all of it stopped');
  print(`${name}  ${outcome} in ${((stoppedAt - requestedAt) / 1000).toFixed(1)} s`);
  for (const { at, step, detail } of receipt.steps)
    print(`  ${`+${at - requestedAt} ms`.padStart(9)}  ${step.padEnd(9)}  ${detail}`);
}
