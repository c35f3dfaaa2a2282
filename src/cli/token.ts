import type { Command } from 'commander';
import { readCredentials } from './api.ts';
import { CliError, EXIT } from './exit.ts';
import { print } from './output.ts';
import { type DataDirOption, dataDirOption } from './places.ts';

export function addToken(program: Command): void {
  program
    .command('token')
    .description('print a bearer for scripts: it can do all that you can, so keep it to yourself')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExample:\n  curl -H "Authorization: Bearer $(gctl token)" http://127.0.0.1:8765/api/sessions',
    )
    .action(({ dataDir }: DataDirOption) => {
      const credentials = readCredentials(dataDir);
      if (!credentials)
        throw new CliError(`${dataDir} has no credentials yet. The first start makes them: gctl up`, EXIT.notRunning);
      print(credentials.localToken);
    });
}
