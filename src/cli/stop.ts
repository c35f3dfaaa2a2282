import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../client/client.ts';
import type { StopList } from '../contract/control.ts';
import { listSessionProcesses, stopMany } from '../contract/routes/control.ts';
import { listSessions } from '../contract/routes/sessions.ts';
import type { DetachedProcess, Stop, StopReceipt } from '../contract/sessions.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { canAsk, confirm } from './confirm.ts';
import { CliError, EXIT } from './exit.ts';
import { findSessions } from './find-session.ts';
import { ago, oneLine, paint, print, printJson } from './output.ts';

interface StopOptions extends DataDirOption {
  all?: true;
  kill?: true;
  yes?: true;
  wait?: number;
  endIfUnreached?: true;
  reason?: string;
  json?: boolean;
}

type StopOf = StopList['stops'][number];

export function addStop(program: Command): void {
  withJson(program.command('stop [id...]'))
    .description("stop a session's turn, tools and subagents (ID prefixes accepted)")
    .option('--all', 'stop every session')
    .option('--wait <seconds>', "how long to wait for a hook while it's only thinking", parseSeconds)
    .option('--end-if-unreached', 'end its process if no hook arrives in that time')
    .option('--kill', 'end its process and children now; lists detached processes and asks about them')
    .option('-y, --yes', 'with --kill: also end detached processes without asking, unless they hold a terminal')
    .option('--reason <text>', 'shown to the agent and kept in the audit record')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl stop 3f2a\n  gctl stop 3f2a --wait 60\n  gctl stop 3f2a 91bc --kill\n  gctl stop --all --reason "Freeze for the release"',
    )
    .action(stop);
}

async function stop(prefixes: string[], options: StopOptions): Promise<void> {
  const { dataDir, all, kill = false, wait: waitSeconds, endIfUnreached, reason, json } = options;
  if (all ? prefixes.length > 0 : prefixes.length === 0)
    throw new CliError('Name the sessions to stop (gctl stop ID…), or use gctl stop --all.', EXIT.usage);
  const api = await connect(dataDir);
  const ids = all ? await allIds(api) : (await findSessions(api, prefixes)).map(({ id }) => id);
  const order = {
    ...(reason ? { reason } : {}),
    ...(waitSeconds === undefined ? {} : { waitSeconds }),
    ...(endIfUnreached ? { ifUnreached: 'end' } : {}),
  };
  const stops =
    ids.length === 0 ? [] : await send(api, { ...order, ids }, kill ? await chosenToo(api, ids, options) : undefined);
  const settled = json || !canAsk() ? stops : await offerToEnd(api, stops, options);
  if (json) printJson({ stops: settled });
  else if (settled.length === 0) print('No sessions to stop.');
  else for (const one of settled) printReceipt(one);
  if (settled.some((one) => !isOver(one.stop))) process.exitCode = EXIT.failed;
}

async function allIds(api: Client): Promise<string[]> {
  const { sessions } = await api.call(listSessions);
  return sessions.filter(({ endedAt }) => endedAt === null).map(({ id }) => id);
}

/** With `endDetached`, the session's process ends, and so do these. */
async function send(api: Client, order: object, endDetached: string[] | undefined): Promise<StopOf[]> {
  const kill = endDetached ? { kill: true, endDetached } : {};
  return (await api.call(stopMany, { body: { ...order, ...kill, wait: true } })).stops;
}

/** Detached processes: listed, and ended only if confirmed. Those that hold a terminal are asked about one by one. */
async function chosenToo(
  api: Client,
  ids: string[],
  { yes, json }: Pick<StopOptions, 'yes' | 'json'>,
): Promise<string[]> {
  const lists = await Promise.all(ids.map((id) => api.call(listSessionProcesses, { params: { id } })));
  const detached = lists.flatMap((list) => list.detached);
  if (detached.length === 0) return [];
  if (!json) {
    print('Detached processes the session started:');
    for (const one of detached) print(`  ${describe(one)}`);
  }
  const plain = detached.filter(({ warning }) => warning === null);
  const chosen =
    plain.length > 0 && (yes || (canAsk() && !json && (await confirm(`End ${count(plain)} too?`)))) ? plain : [];
  const doubtful = canAsk() && !json && !yes ? detached.filter(({ warning }) => warning !== null) : [];
  for (const one of doubtful) if (await confirm(`Process ${one.pid}: ${one.warning} End it anyway?`)) chosen.push(one);
  return chosen.map(({ id }) => id);
}

function describe({ pid, command, startedAt, below, warning }: DetachedProcess): string {
  const facts = [
    ...(startedAt === null ? [] : [`running ${ago(startedAt)}`]),
    ...(below > 0 ? [`${below} ${below === 1 ? 'child' : 'children'}`] : []),
  ];
  const doubt = warning ? ` ${paint('yellow', warning)}` : '';
  return `${paint('bold', String(pid))}  ${oneLine(command)}  ${paint('dim', facts.join(', '))}${doubt}`;
}

const count = (list: unknown[]): string => (list.length === 1 ? 'it' : `these ${list.length}`);

/** A thinking session can't be reached; whether to end its process is the operator's call. */
async function offerToEnd(api: Client, stops: StopOf[], options: StopOptions): Promise<StopOf[]> {
  const settled: StopOf[] = [];
  for (const one of stops) {
    const { unreached } = one.stop;
    const isAsked = unreached !== null && one.stop.state === 'stopping';
    if (isAsked)
      print(
        `${paint('bold', one.sessionId.slice(0, 8))}  ${unreached.why} ${LATER} Resume later with: ${unreached.resume}`,
      );
    const isWanted = isAsked && (await confirm('End its process now?'));
    settled.push(
      ...(isWanted ? await send(api, { ids: [one.sessionId] }, await chosenToo(api, [one.sessionId], options)) : [one]),
    );
  }
  return settled;
}

const LATER = 'It will stop at its next tool call. To stop it sooner, end its process.';

function isOver({ state, receipt }: Stop): boolean {
  return state === 'stopped' && receipt?.leftPids.length === 0;
}

function printReceipt({ sessionId, stop }: StopOf): void {
  const { state, stoppedAt, receipt, unreached } = stop;
  const name = paint('bold', sessionId.slice(0, 8));
  if (state === 'stopping' || !receipt || stoppedAt === null) {
    const why = unreached ? `${unreached.why} ${LATER}` : 'it will stop at its next hook.';
    print(`${name}  ${paint('yellow', 'still stopping')}: ${why}`);
    if (unreached)
      print(`          End it: gctl stop ${sessionId.slice(0, 8)} --kill. Resume later with: ${unreached.resume}`);
    return;
  }
  if (receipt.steps[0]?.step === 'ended') print(`${name}  had already ended: nothing was stopped`);
  else printSteps(name, stop, receipt);
  for (const one of receipt.detached) print(`  ${'running'.padStart(9)}  ${describe(one)}`);
  if (receipt.resume) print(`  Resume with: ${receipt.resume}`);
}

function printSteps(name: string, stop: Stop, receipt: StopReceipt): void {
  const { requestedAt, stoppedAt } = stop;
  const outcome = isOver(stop) ? paint('green', 'stopped') : paint('red', 'partly stopped');
  print(`${name}  ${outcome} in ${(((stoppedAt ?? requestedAt) - requestedAt) / 1000).toFixed(1)}s`);
  for (const { at, step, detail } of receipt.steps)
    print(`  ${`+${at - requestedAt}ms`.padStart(9)}  ${step.padEnd(9)}  ${detail}`);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError(`${JSON.stringify(text)} isn't a number of seconds from 0 to 3600.`);
}
