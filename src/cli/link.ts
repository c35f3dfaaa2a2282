import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../contract/access.ts';
import { createLink } from '../contract/routes/access.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { print, printJson } from './output.ts';

export function addLink(program: Command): void {
  withJson(program.command('link'))
    .description('print a one-time sign-in link for a browser')
    .addOption(
      new Option('--role <role>', 'operator can act, viewer is view only').choices([...ROLES]).default('operator'),
    )
    .option('--name <name>', 'name for this browser in the device list')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl link\n  gctl link --role viewer --name "wall screen"')
    .action(async ({ dataDir, role, name, json }: DataDirOption & { role: Role; name?: string; json?: boolean }) => {
      const link = await (await connect(dataDir)).call(createLink, { body: { role, name } });
      if (json) printJson(link);
      else print(link.url);
    });
}
