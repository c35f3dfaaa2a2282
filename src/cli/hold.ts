import { Argument, type Command } from 'commander';
import { HoldState, MAX_HOLD_SECONDS, MIN_HOLD_SECONDS } from '../contract/approvals.ts';
import { connect } from './api.ts';
import { readDuration, sayDuration } from './duration.ts';
import { CliError, EXIT } from './exit.ts';
import { print, printJson } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

export function addHold(program: Command): void {
  withJson(program.command('hold'))
    .description('how long requests that no terminal shows are held for you')
    .addArgument(new Argument('[duration]', 'such as 90s, 30m, 2h'))
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Requests of headless runs (claude -p), of subagents, and of MCP servers are not shown in a terminal while they are held. Ground
Control holds them while you are at its page, or in away mode, for this time at most. Then the terminal asks, or the headless
run goes on as it would without Ground Control: denied.

Examples:
  gctl hold
  gctl hold 2h`,
    )
    .action(async (duration: string | undefined, { dataDir, json }: DataDirOption & { json?: boolean }) => {
      const holdSeconds = duration === undefined ? undefined : readHoldTime(duration);
      const api = await connect(dataDir);
      const state =
        holdSeconds === undefined
          ? await api.get('/api/hold', HoldState)
          : await api.put('/api/hold', HoldState, { holdSeconds });
      if (json) return printJson(state);
      print(`Requests are held for ${sayDuration(state.holdSeconds)} at most.`);
      print(whoIsThere(state));
    });
}

function readHoldTime(duration: string): number {
  const seconds = readDuration(duration);
  if (seconds >= MIN_HOLD_SECONDS && seconds <= MAX_HOLD_SECONDS) return seconds;
  const range = `${sayDuration(MIN_HOLD_SECONDS)} to ${sayDuration(MAX_HOLD_SECONDS)}`;
  throw new CliError(`Requests can be held for ${range}.`, EXIT.usage);
}

function whoIsThere({ away, presence }: HoldState): string {
  if (away) return 'Away mode is on, so they are held now.';
  if (presence === 'active') return 'Somebody is at a Ground Control page, so they are held now.';
  return 'Nobody is at a Ground Control page and away mode is off, so they are not held now. Turn it on: gctl away on';
}
