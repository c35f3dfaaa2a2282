import { Argument, type Command } from 'commander';
import { Away, HoldState } from '../contract/approvals.ts';
import { connect } from './api.ts';
import { sayDuration } from './duration.ts';
import { print, printJson } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

export function addAway(program: Command): void {
  withJson(program.command('away'))
    .description(
      'say whether you are at the desk; when away, requests that no terminal shows are held for you (see gctl hold)',
    )
    .addArgument(new Argument('[state]').choices(['on', 'off']))
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl away on\n  gctl away')
    .action(async (state: 'on' | 'off' | undefined, { dataDir, json }: DataDirOption & { json?: boolean }) => {
      const api = await connect(dataDir);
      const { away } = state
        ? await api.put('/api/away', Away, { away: state === 'on' })
        : await api.get('/api/away', Away);
      if (json) return printJson({ away });
      if (!away) return print('At the desk: requests that no terminal shows are held only while you are at the page.');
      const { holdSeconds } = await api.get('/api/hold', HoldState);
      print(`Away: requests are held for you, those that no terminal shows for ${sayDuration(holdSeconds)} at most.`);
    });
}
