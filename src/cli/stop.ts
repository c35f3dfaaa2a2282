import { type Command, InvalidArgumentError } from 'commander';
import { SessionProcessList, StopList } from '../contract/control.ts';
import { type DetachedProcess, SessionList, type Stop } from '../contract/sessions.ts';
import { type Api, connect } from './api.ts';
import { canAsk, confirm } from './confirm.ts';
import { CliError, EXIT } from './exit.ts';
import { findSessions } from './find-session.ts';
import { ago, paint, print, printJson } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

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
    .description('stop the turn of a session, its tools and its subagents; the beginning of an id will do')
    .option('--all', 'every session')
    .option('--wait <seconds>', 'how long to wait for its next hook if it only thinks', parseSeconds)
    .option('--end-if-unreached', 'end its process if no hook reaches it in that time')
    .option('--kill', 'end its process now, with all that runs below it; lists what runs on its own, and asks')
    .option('-y, --yes', 'with --kill: end what runs on its own too, without asking, unless it holds a terminal')
    .option('--reason <text>', 'told to the agent and kept in the record')
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
    throw new CliError('Say which sessions: gctl stop ID…, or gctl stop --all', EXIT.usage);
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
  else if (settled.length === 0) print('No session to stop.');
  else for (const one of settled) printReceipt(one);
  if (settled.some((one) => !isOver(one.stop))) process.exitCode = EXIT.failed;
}

async function allIds(api: Api): Promise<string[]> {
  const { sessions } = await api.get('/api/sessions', SessionList);
  return sessions.filter(({ endedAt }) => endedAt === null).map(({ id }) => id);
}

/** `endDetached`: its process ends, and so do these. */
async function send(api: Api, order: object, endDetached: string[] | undefined): Promise<StopOf[]> {
  const kill = endDetached ? { kill: true, endDetached } : {};
  return (await api.post('/api/stop', StopList, { ...order, ...kill, wait: true })).stops;
}

/** What the sessions started and that runs on its own: shown, and ended only with a yes. What holds a terminal is asked for one by one. */
async function chosenToo(api: Api, ids: string[], { yes, json }: Pick<StopOptions, 'yes' | 'json'>): Promise<string[]> {
  const lists = await Promise.all(
    ids.map((id) => api.get(`/api/sessions/${encodeURIComponent(id)}/processes`, SessionProcessList, { act: true })),
  );
  const detached = lists.flatMap((list) => list.detached);
  if (detached.length === 0) return [];
  if (!json) {
    print('Started by the session, and running on its own:');
    for (const one of detached) print(`  ${describe(one)}`);
  }
  const plain = detached.filter(({ warning }) => warning === null);
  const chosen =
    plain.length > 0 && (yes || (canAsk() && !json && (await confirm(`End ${count(plain)} too?`)))) ? plain : [];
  const doubtful = canAsk() && !json && !yes ? detached.filter(({ warning }) => warning !== null) : [];
  for (const one of doubtful)
    if (await confirm(`Process ${one.pid}: ${one.warning} End it all the same?`)) chosen.push(one);
  return chosen.map(({ id }) => id);
}

function describe({ pid, command, startedAt, below, warning }: DetachedProcess): string {
  const facts = [...(startedAt === null ? [] : [`for ${ago(startedAt)}`]), ...(below > 0 ? [`${below} below it`] : [])];
  const doubt = warning ? ` ${paint('yellow', warning)}` : '';
  return `${paint('bold', String(pid))}  ${command}  ${paint('dim', facts.join(', '))}${doubt}`;
}

const count = (list: unknown[]): string => (list.length === 1 ? 'it' : `these ${list.length}`);

/** A session that only thinks cannot be reached; whether its process is to end is the person's to say. */
async function offerToEnd(api: Api, stops: StopOf[], options: StopOptions): Promise<StopOf[]> {
  const settled: StopOf[] = [];
  for (const one of stops) {
    const { unreached } = one.stop;
    const isAsked = unreached !== null && one.stop.state === 'stopping';
    if (isAsked)
      print(`${paint('bold', one.sessionId.slice(0, 8))}  ${unreached.why} ${LATER} To resume it: ${unreached.resume}`);
    const isWanted = isAsked && (await confirm('End its process now?'));
    settled.push(
      ...(isWanted ? await send(api, { ids: [one.sessionId] }, await chosenToo(api, [one.sessionId], options)) : [one]),
    );
  }
  return settled;
}

const LATER = 'It stops at its next tool call; all that is left to do now is to end its process.';

function isOver({ state, receipt }: Stop): boolean {
  return state === 'stopped' && receipt?.leftPids.length === 0;
}

function printReceipt({ sessionId, stop }: StopOf): void {
  const { state, requestedAt, stoppedAt, receipt, unreached } = stop;
  const name = paint('bold', sessionId.slice(0, 8));
  if (state === 'stopping' || !receipt || stoppedAt === null) {
    const why = unreached ? `${unreached.why} ${LATER}` : 'it stops at its next hook.';
    print(`${name}  ${paint('yellow', 'still stopping')}: ${why}`);
    if (unreached)
      print(`          End it: gctl stop ${sessionId.slice(0, 8)} --kill. Resume it then: ${unreached.resume}`);
    return;
  }
  const outcome = isOver(stop) ? paint('green', 'stopped') : paint('red', 'not all of it stopped');
  print(`${name}  ${outcome} in ${((stoppedAt - requestedAt) / 1000).toFixed(1)} s`);
  for (const { at, step, detail } of receipt.steps)
    print(`  ${`+${at - requestedAt} ms`.padStart(9)}  ${step.padEnd(9)}  ${detail}`);
  for (const one of receipt.detached) print(`  ${'still runs'.padStart(9)}  ${describe(one)}`);
  if (receipt.resume) print(`  To resume it: ${receipt.resume}`);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError(`${JSON.stringify(text)} is not a number of seconds from 0 to 3600.`);
}
