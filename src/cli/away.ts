import { Argument, type Command } from 'commander';
import { Away } from '../contract/approvals.ts';
import { connect } from './api.ts';
import { print } from './output.ts';
import { type DataDirOption, dataDirOption } from './places.ts';

export function addAway(program: Command): void {
  program
    .command('away')
    .description('say whether you are at the desk: when away, even what would stall a terminal is held for you')
    .addArgument(new Argument('[state]').choices(['on', 'off']))
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl away on\n  gctl away')
    .action(async (state: 'on' | 'off' | undefined, { dataDir }: DataDirOption) => {
      const api = await connect(dataDir);
      const { away } = state
        ? await api.put('/api/away', Away, { away: state === 'on' })
        : await api.get('/api/away', Away);
      print(
        away
          ? 'Away: requests are held until you answer.'
          : 'At the desk: what would stall a terminal goes back to it.',
      );
    });
}
