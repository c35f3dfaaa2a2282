import type { Command } from 'commander';
import { createToken } from '../contract/routes/access.ts';
import { connect, readCredentials } from './api.ts';
import { type DataDirOption, dataDirOption, toProjects } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { print } from './output.ts';

interface TokenOptions extends DataDirOption {
  operator?: boolean;
  admin?: boolean;
  project?: string[];
  name: string;
}

export function addToken(program: Command): void {
  program
    .command('token')
    .description('print a read-only bearer token for scripts')
    .option('--operator', 'create a token that can act; revoke it with gctl devices revoke')
    .option('--admin', 'create a token that can also manage devices and settings')
    .option('--project <dir...>', 'with --operator: limit it to these project folders')
    .option('--name <name>', 'with --operator or --admin: its name in the device list', 'Script')
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
    .action(async ({ dataDir, operator, admin, project, name }: TokenOptions) => {
      if (operator || admin) {
        const body = { role: admin ? ('admin' as const) : ('operator' as const), projects: toProjects(project), name };
        const { token } = await (await connect(dataDir)).call(createToken, { body });
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
