import { Argument, type Command } from 'commander';
import { type HoldState, MAX_HOLD_SECONDS, MIN_HOLD_SECONDS } from '../contract/approvals.ts';
import * as routes from '../contract/routes/approvals.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { readDuration, sayDuration } from './duration.ts';
import { CliError, EXIT } from './exit.ts';
import { print, printJson } from './output.ts';

export function addHold(program: Command): void {
  withJson(program.command('hold'))
    .description('show or set how long background requests wait for you')
    .addArgument(new Argument('[duration]', 'for example 90s, 30m, 2h'))
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Background requests come from headless runs (claude -p), subagents and MCP servers; no terminal shows them while they wait. Ground
Control holds them while you're on one of its pages or in away mode, for at most this long. After that the terminal asks, or a
headless run continues as it would without Ground Control: the request is denied.

Examples:
  gctl hold
  gctl hold 2h`,
    )
    .action(async (duration: string | undefined, { dataDir, json }: DataDirOption & { json?: boolean }) => {
      const holdSeconds = duration === undefined ? undefined : readHoldTime(duration);
      const api = await connect(dataDir);
      const state =
        holdSeconds === undefined
          ? await api.call(routes.getHold)
          : await api.call(routes.setHold, { body: { holdSeconds } });
      if (json) return printJson(state);
      print(`Background requests wait for you for up to ${sayDuration(state.holdSeconds)}.`);
      print(whoIsThere(state));
    });
}

function readHoldTime(duration: string): number {
  const seconds = readDuration(duration);
  if (seconds >= MIN_HOLD_SECONDS && seconds <= MAX_HOLD_SECONDS) return seconds;
  const range = `${sayDuration(MIN_HOLD_SECONDS)} to ${sayDuration(MAX_HOLD_SECONDS)}`;
  throw new CliError(`The hold time can be ${range}.`, EXIT.usage);
}

function whoIsThere({ away, presence }: HoldState): string {
  if (away) return 'Held now: away mode is on.';
  if (presence === 'active') return 'Held now: a Ground Control page is in use.';
  return 'Not held now: no Ground Control page is in use and away mode is off. Turn it on: gctl away on';
}
