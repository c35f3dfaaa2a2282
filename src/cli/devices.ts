import type { Command } from 'commander';
import { listDevices, revokeDevice } from '../contract/routes/access.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError } from './exit.ts';
import { ago, oneLine, print, printJson } from './output.ts';
import { printTable } from './table.ts';

export function addDevices(program: Command): void {
  const devices = program
    .command('devices')
    .description('list or revoke signed-in browsers and scripts')
    .addHelpText('after', '\nExamples:\n  gctl devices\n  gctl devices revoke 4f1c');

  withJson(devices.command('list', { isDefault: true }))
    .description('list signed-in devices')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl devices list\n  gctl devices list --json')
    .action(async ({ dataDir, json }: DataDirOption & { json?: boolean }) => {
      const list = await (await connect(dataDir)).call(listDevices);
      if (json) return printJson(list);
      await printTable(
        list.devices.map((one) => [
          one.id.slice(0, 8),
          one.projects.length === 0 ? one.role : `${one.role} in ${one.projects.join(', ')}`,
          one.lastSeenAt ? `${ago(one.lastSeenAt)} ago` : 'never',
          one.name,
        ]),
        { head: ['ID', 'Role', 'Last seen', 'Name'] },
      );
    });

  withJson(devices.command('revoke <id>'))
    .description('revoke a device (ID prefixes accepted)')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl devices revoke 4f1c')
    .action(async (prefix: string, { dataDir, json }: DataDirOption & { json?: boolean }) => {
      const api = await connect(dataDir);
      const { devices: known } = await api.call(listDevices);
      const found = known.filter((one) => one.id.startsWith(prefix));
      if (found.length !== 1)
        throw new CliError(
          `${found.length === 0 ? 'No device matches' : 'More than one device matches'} ${prefix}. See gctl devices.`,
        );
      await api.call(revokeDevice, { params: { id: found[0]!.id } });
      if (json) printJson(found[0]);
      else print(`Revoked: ${oneLine(found[0]!.name)}`);
    });
}
