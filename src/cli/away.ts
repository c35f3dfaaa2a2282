import { Argument, type Command } from 'commander';
import { Away } from '../contract/approvals.ts';
import { connect } from './api.ts';
import { print, printJson } from './output.ts';
import { type DataDirOption, dataDirOption, withJson } from './places.ts';

export function addAway(program: Command): void {
  withJson(program.command('away'))
    .description('say whether you are at the desk: when away, even what would stall a terminal is held for you')
    .addArgument(new Argument('[state]').choices(['on', 'off']))
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl away on\n  gctl away')
    .action(async (state: 'on' | 'off' | undefined, { dataDir, json }: DataDirOption & { json?: boolean }) => {
      const api = await connect(dataDir);
      const { away } = state
        ? await api.put('/api/away', Away, { away: state === 'on' })
        : await api.get('/api/away', Away);
      if (json) return printJson({ away });
      print(
        away
          ? 'Away: requests are held until you answer.'
          : 'At the desk: what would stall a terminal goes back to it.',
      );
    });
}
