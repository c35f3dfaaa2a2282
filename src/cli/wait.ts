import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../client/client.ts';
import { followStream } from '../client/follow-stream.ts';
import { columnOf } from '../contract/groups.ts';
import { isFinished } from '../contract/lifecycles.ts';
import type { OrchestratedSession } from '../contract/orchestration.ts';
import { getOrchestrated } from '../contract/routes/orchestration.ts';
import { listSessions } from '../contract/routes/sessions.ts';
import type { LiveSession } from '../contract/sessions.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { readOrchestratorSettings } from './orchestrator-settings.ts';
import { oneLine, paint, print, printJson, readable } from './output.ts';
import { exitCodeOfSession, waitUntilFinished } from './session-outcome.ts';

interface WaitOptions extends DataDirOption {
  needsYou?: boolean;
  any?: boolean;
  timeout?: number;
  cwd?: string;
  json?: boolean;
}

export function addWait(program: Command): void {
  withJson(program.command('wait [name...]'))
    .description('wait until sessions have finished, or until one needs you')
    .option('--any', 'until one of them has finished, not all')
    .option('--needs-you', 'wait for a session that needs you')
    .option('--timeout <seconds>', 'give up after this long (exit 1)', parseSeconds)
    .option('--cwd <dir>', 'project to look for the names in (default: here)')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nThe exit code says how they ended: 0 all succeeded, 1 one failed, 130 one was canceled.\n\nExamples:\n  gctl wait fix-login review\n  gctl wait a b c --any\n  gctl wait --needs-you && notify-send "An agent needs you"',
    )
    .action(async (names: string[], options: WaitOptions) => {
      if (names.length > 0 === (options.needsYou ?? false))
        throw new CliError('Name the sessions to wait for (gctl wait NAME…), or use --needs-you.', EXIT.usage);
      const api = await connect(options.dataDir);
      const { timeout } = options;
      const giveUp = timeout === undefined ? undefined : setTimeout(() => fail(timeout, names), timeout * 1000);
      if (options.needsYou) await waitForNeed(api, options);
      else await waitForEnd(api, names, options);
      clearTimeout(giveUp);
    });
}

async function waitForEnd(api: Client, names: string[], options: WaitOptions): Promise<void> {
  const query = { project: (await readOrchestratorSettings(options)).projectDir };
  const found: OrchestratedSession[] = [];
  for (const name of names) found.push(await api.call(getOrchestrated, { params: { id: name }, query }));
  const ids = found.map(({ id }) => id);
  const sessions = await waitUntilFinished(api, ids, { any: options.any ?? false });
  const finished = sessions.filter(({ lifecycle }) => isFinished(lifecycle));
  if (options.json) printJson({ sessions });
  else for (const { name, lifecycle } of finished) print(`${paint('bold', oneLine(name))}  ${lifecycle}`);
  process.exitCode = Math.max(...finished.map(exitCodeOfSession));
}

async function waitForNeed(api: Client, { json }: WaitOptions): Promise<void> {
  const session = await firstThatNeedsYou(api);
  if (json) printJson(session);
  else print(`${session.id.slice(0, 8)}  ${oneLine(session.agentState.label)}  ${oneLine(readable(session.title))}`);
  // the open stream would keep the process alive
  process.exit(EXIT.ok);
}

function fail(seconds: number, names: string[]): never {
  const what = names.length > 0 ? `${names.join(', ')} did not finish` : 'no session needed you';
  process.stderr.write(`gctl: ${what} within ${seconds}s\n`);
  process.exit(EXIT.failed);
}

async function firstThatNeedsYou(api: Client): Promise<LiveSession> {
  const { sessions } = await api.call(listSessions);
  const waiting = sessions.find((session) => columnOf(session) === 'needs_you');
  if (waiting) return waiting;
  for await (const { event, data } of followStream(api)) {
    if (event !== 'session_discovered' && event !== 'session_updated' && event !== 'session_stopping') continue;
    if (columnOf(data) === 'needs_you') return data;
  }
  throw new CliError('The daemon stopped.', EXIT.notRunning);
}

function parseSeconds(text: string): number {
  if (Number(text) > 0) return Number(text);
  throw new InvalidArgumentError(`${JSON.stringify(text)} isn't a number of seconds.`);
}
