import type { Command } from 'commander';
import { releaseApproval } from '../contract/routes/approvals.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { findApproval } from './find-approval.ts';
import { print, printJson } from './output.ts';

export function addRelease(program: Command): void {
  withJson(program.command('release <id...>'))
    .description(
      'hand a request back undecided: its terminal asks, or its headless run continues without Ground Control',
    )
    .addOption(dataDirOption())
    .addHelpText('after', '\nExample:\n  gctl release 3f2a')
    .action(async (ids: string[], { dataDir, json }: DataDirOption & { json?: boolean }) => {
      const api = await connect(dataDir);
      const found = await Promise.all(ids.map((id) => findApproval(api, id)));
      for (const { id } of found) {
        const released = await api.call(releaseApproval, { params: { id } });
        if (json) printJson(released);
        else print(`${id.slice(0, 8)}  ${released.closedWhy}`);
      }
    });
}
