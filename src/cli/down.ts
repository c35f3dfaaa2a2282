import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { CallRefused } from '../client/errors.ts';
import { getStatus } from '../contract/routes/daemon.ts';
import { isRunning } from '../system/is-running.ts';
import { connect, readDaemonFile } from './api.ts';
import { type DataDirOption, dataDirOption, withJson } from './common-options.ts';
import { CliError } from './exit.ts';
import { print, printJson } from './output.ts';

const PATIENCE_MS = 10_000;

export function addDown(program: Command): void {
  withJson(program.command('down'))
    .description('stop the daemon; sessions keep running')
    .addOption(dataDirOption())
    .addHelpText('after', '\nExamples:\n  gctl down\n  gctl down --json')
    .action(async ({ dataDir, json }: DataDirOption & { json?: boolean }) => {
      const api = await connect(dataDir, { demo: false });
      await refuseAgents(api);
      // ask the daemon itself: the pid in the data dir may belong to another process by now
      const { pid } = await api.call(getStatus);
      process.kill(pid, 'SIGTERM');
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise((next) => setTimeout(next, 50))) {
        if (!hasLeft(dataDir, pid)) continue;
        return json ? printJson({ stopped: true, pid }) : print('Stopped.');
      }
      throw new CliError(
        `The daemon (pid ${pid}) is still running after ${PATIENCE_MS / 1000}s. See ${dataDir}/daemon.log`,
      );
    });
}

/** A logout or shutdown script has no terminal, and may stop the daemon. */
async function refuseAgents(api: Client): Promise<void> {
  await api.prove().catch((error: unknown) => {
    if (!(error instanceof CallRefused) || error.code !== 'access.no_terminal') throw error;
  });
}

/** Its file is removed last, after hooks and journal are closed. Its process may stay a zombie, or die without removing the file. */
function hasLeft(dataDir: string, pid: number): boolean {
  return readDaemonFile(dataDir)?.pid !== pid || !isRunning(pid);
}
