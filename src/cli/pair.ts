import { type Command, Option } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import type { Client } from '../client/client.ts';
import { ROLES, type Role } from '../contract/access.ts';
import { confirmPairing, createLink, listPairings, refusePairing } from '../contract/routes/access.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, toProjects, withJson } from './common-options.ts';
import { canAsk, confirm } from './confirm.ts';
import { CliError } from './exit.ts';
import { oneLine, paint, print, printJson } from './output.ts';

const POLL_MS = 1_000;

interface PairOptions extends DataDirOption {
  role: Role;
  project?: string[];
  name?: string;
  json?: boolean;
}

export function addPair(program: Command): void {
  withJson(program.command('pair'))
    .description('pair a phone or another computer: shows a QR code, then asks you to confirm the device')
    .addOption(
      new Option('--role <role>', 'admin also manages devices and settings, operator acts, viewer is view only')
        .choices([...ROLES])
        .default('operator'),
    )
    .option('--project <dir...>', 'limit an operator or viewer to these project folders')
    .option('--name <name>', 'name for this device in the device list')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nSet up an address first: gctl remote tailscale, or gctl remote lan.\n\nExamples:\n  gctl pair\n  gctl pair --role viewer --name "Wall tablet"',
    )
    .action(async ({ dataDir, role, project, name, json }: PairOptions) => {
      const api = await connect(dataDir);
      const link = await api.call(createLink, {
        body: { role, projects: toProjects(project), remote: true, ...(name ? { name } : {}) },
      });
      if (json) return printJson(link);
      print(renderUnicodeCompact(link.url));
      print(`\nScan this with your phone's camera, or open ${paint('cyan', link.url)}`);
      print(
        `To type it instead: open ${new URL(link.url).origin} and enter ${paint('bold', spaced(link.short ?? ''))}`,
      );
      print(paint('dim', 'The code works once, for 5 minutes.'));
      if (canAsk()) await confirmNext(api, link.expiresAt);
      else print('Confirm the device in Settings › Devices, or run gctl pair in a terminal.');
    });
}

/** Waits for the device, and asks about it. */
async function confirmNext(api: Client, until: number): Promise<void> {
  print('Waiting for the device…');
  while (Date.now() < until) {
    const [asking] = (await api.call(listPairings)).pairings;
    if (!asking) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    const question = `${oneLine(asking.name)} (${asking.role}) shows a code. Is it ${paint('bold', asking.match)}?`;
    const isSame = await confirm(question);
    await api.call(isSame ? confirmPairing : refusePairing, { params: { id: asking.id } });
    print(isSame ? `Paired: ${oneLine(asking.name)}` : 'Refused.');
    return;
  }
  throw new CliError('No device used the code within 5 minutes. Run gctl pair again.');
}

const spaced = (code: string) => code.replace(/^(.{4})(.{4})$/, '$1-$2');
