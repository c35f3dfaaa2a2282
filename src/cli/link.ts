import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../contract/access.ts';
import { createLink } from '../contract/routes/access.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, toProjects, withJson } from './common-options.ts';
import { print, printJson } from './output.ts';

interface LinkOptions extends DataDirOption {
  role: Role;
  project?: string[];
  name?: string;
  json?: boolean;
}

export function addLink(program: Command): void {
  withJson(program.command('link'))
    .description('print a one-time sign-in link for a browser')
    .addOption(
      new Option('--role <role>', 'admin also manages devices and settings, operator acts, viewer is view only')
        .choices([...ROLES])
        .default('admin'),
    )
    .option('--project <dir...>', 'limit an operator or viewer to these project folders')
    .option('--name <name>', 'name for this browser in the device list')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  gctl link\n  gctl link --role viewer --name "wall screen"\n  gctl link --role operator --project ~/work/api',
    )
    .action(async ({ dataDir, role, project, name, json }: LinkOptions) => {
      const link = await (await connect(dataDir)).call(createLink, {
        body: { role, projects: toProjects(project), name },
      });
      if (json) printJson(link);
      else print(link.url);
    });
}
