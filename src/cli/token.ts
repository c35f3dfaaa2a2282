import type { Command } from 'commander';
import { Paired } from '../contract/access.ts';
import { connect, readCredentials } from './api.ts';
import { CliError, EXIT } from './exit.ts';
import { print } from './output.ts';
import { type DataDirOption, dataDirOption } from './places.ts';

interface TokenOptions extends DataDirOption {
  operator?: boolean;
  name: string;
}

export function addToken(program: Command): void {
  program
    .command('token')
    .description('print a bearer for scripts: it reads everything, and changes nothing')
    .option('--operator', 'make a new one that can do all that you can; revoke it with gctl devices revoke')
    .option('--name <name>', 'with --operator: what to call it in the list of devices', 'Script')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Agents run as you do, so they can read any token that you keep in a file. Ground Control refuses one that comes from a
session's own process, but keep an operator's token where agents can't reach it.

Examples:
  curl -H "Authorization: Bearer $(gctl token)" http://127.0.0.1:8765/api/sessions
  GROUNDCONTROL_TOKEN=$(gctl token --operator --name nightly) ./nightly.sh`,
    )
    .action(async ({ dataDir, operator, name }: TokenOptions) => {
      if (operator) {
        const { token } = await (await connect(dataDir)).post('/api/tokens', Paired, { role: 'operator', name });
        return print(token);
      }
      const credentials = readCredentials(dataDir);
      if (!credentials)
        throw new CliError(`${dataDir} has no credentials yet. The first start makes them: gctl up`, EXIT.notRunning);
      print(credentials.localToken);
    });
}
