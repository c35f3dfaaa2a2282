import { Argument, type Command } from 'commander';
import * as routes from '../contract/routes/approvals.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { sayDuration } from './duration.ts';
import { print, printJson } from './output.ts';

export function addAway(program: Command): void {
  withJson(program.command('away'))
    .description('show or set away mode; while away, background requests wait for you (see gctl hold)')
    .addArgument(new Argument('[state]').choices(['on', 'off']))
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl away on\n  gctl away')
    .action(async (state: 'on' | 'off' | undefined, { dataDir, json }: DataDirOption & { json?: boolean }) => {
      const api = await connect(dataDir);
      const { away } = state
        ? await api.call(routes.setAway, { body: { away: state === 'on' } })
        : await api.call(routes.getAway);
      if (json) return printJson({ away });
      if (!away)
        return print("Away mode is off. Background requests wait for you only while you're on a Ground Control page.");
      const { holdSeconds } = await api.call(routes.getHold);
      print(`Away mode is on. Background requests wait for you for up to ${sayDuration(holdSeconds)}.`);
    });
}
