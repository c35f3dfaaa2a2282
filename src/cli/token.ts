import type { Command } from 'commander';
import { createToken } from '../contract/routes/access.ts';
import { connect, readCredentials } from './api.ts';
import { type DataDirOption, dataDirOption } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { print } from './output.ts';

interface TokenOptions extends DataDirOption {
  operator?: boolean;
  name: string;
}

export function addToken(program: Command): void {
  program
    .command('token')
    .description('print a read-only bearer token for scripts')
    .option('--operator', 'create a token that can do everything you can; revoke it with gctl devices revoke')
    .option('--name <name>', 'with --operator: its name in the device list', 'Script')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
Agents run as you, so they can read any token you keep in a file. Ground Control refuses a token used from a session's own
processes, but keep an operator token where agents can't reach it.

Examples:
  curl -H "Authorization: Bearer $(gctl token)" http://127.0.0.1:8765/api/sessions
  GROUNDCONTROL_TOKEN=$(gctl token --operator --name nightly) ./nightly.sh`,
    )
    .action(async ({ dataDir, operator, name }: TokenOptions) => {
      if (operator) {
        const { token } = await (await connect(dataDir)).call(createToken, { body: { role: 'operator', name } });
        return print(token);
      }
      const credentials = readCredentials(dataDir);
      if (!credentials)
        throw new CliError(
          `${dataDir} has no credentials yet. Start Ground Control once to create them: gctl up`,
          EXIT.notRunning,
        );
      print(credentials.localToken);
    });
}
