import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../client/client.ts';
import { followStream } from '../client/follow-stream.ts';
import { columnOf } from '../contract/groups.ts';
import { listSessions } from '../contract/routes/sessions.ts';
import type { LiveSession } from '../contract/sessions.ts';
import { connect } from './api.ts';
import { CliError, EXIT } from './exit.ts';
import { oneLine, print, printJson, readable } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

export function addWait(program: Command): void {
  withJson(program.command('wait'))
    .description('wait until a session needs you, then print it and exit')
    .requiredOption('--needs-you', 'wait for a session that needs you')
    .option('--timeout <seconds>', 'give up after this long (exit 1)', parseSeconds)
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl wait --needs-you && notify-send "An agent needs you"')
    .action(async ({ dataDir, timeout, json }: DataDirOption & { timeout?: number; json?: boolean }) => {
      const api = await connect(dataDir);
      const giveUp = timeout === undefined ? undefined : setTimeout(() => fail(timeout), timeout * 1000);
      const session = await firstThatNeedsYou(api);
      clearTimeout(giveUp);
      if (json) printJson(session);
      else
        print(`${session.id.slice(0, 8)}  ${oneLine(session.agentState.label)}  ${oneLine(readable(session.title))}`);
      // the open stream would keep the process alive
      process.exit(EXIT.ok);
    });
}

function fail(seconds: number): never {
  process.stderr.write(`gctl: no session needed you within ${seconds}s\n`);
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
