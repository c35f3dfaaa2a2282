import type { Command } from 'commander';
import { confirmCaller } from '../contract/routes/access.ts';
import { connect } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { oneLine, print, printJson } from './output.ts';

export function addConfirm(program: Command): void {
  withJson(program.command('confirm <code>'))
    .description('confirm that the terminal or program showing this code is yours, so it can act')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
If a session opened the terminal you work in, or started the tmux around it, that terminal can't act until you confirm it: on the
board, or from a terminal that no session has touched. Confirm only a code that you see on your own screen.

Example:
  gctl confirm K7F2QX`,
    )
    .action(async (code: string, { dataDir, json }: DataDirOption & { json?: boolean }) => {
      const api = await connect(dataDir);
      const caller = await api.call(confirmCaller, { params: { code } });
      if (json) return printJson(caller);
      const where = caller.terminal ? ` in ${oneLine(caller.terminal)}` : '';
      print(`Confirmed: ${oneLine(caller.program)} (pid ${caller.pid})${where} can act until it ends.`);
    });
}
