import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNER_FILES } from '../contract/runner-names.ts';
import type { RunnerProcess, RunnerSpec } from '../contract/runners.ts';
import { clientCommand } from './claude/client-command.ts';
import type { EarlyClient } from './claude/early-client.ts';
import { startAhead } from './claude/spawn-client.ts';
import { ownIdentity } from './identity.ts';
import { rotateLog } from './log.ts';
import { ProcessesFile } from './processes-file.ts';

/*
 * `node runner.js DIR`: the folder holds the session's spec. `node runner.js DIR --spare`: it holds what is known before there is a
 * session. Loads nothing that the client can start without.
 */

/** A log that can't be written, on a full disk, must not end the session. */
function log(text: string): void {
  try {
    process.stderr.write(`${new Date().toISOString()} ${text}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

async function main(dir: string, mode: string | undefined): Promise<void> {
  rotateLog(join(dir, RUNNER_FILES.log));
  // the daemon wrote it for us, and validating it would take longer than reading it
  const spec = JSON.parse(readFileSync(join(dir, RUNNER_FILES.spec), 'utf8')) as RunnerSpec;
  if (mode === '--spare') {
    const { waitForSession } = await import('./run-session.ts');
    return waitForSession({ dir, spec, log });
  }
  const processes = new ProcessesFile(dir, ownIdentity());
  const early = spec.driver === 'claude' ? await startClient(spec, processes) : undefined;
  const { runSession } = await import('./run-session.ts');
  await runSession({ dir, spec, processes, log, early });
}

/** undefined: it failed, and the session's own attempt will report why. */
async function startClient(spec: RunnerSpec, processes: ProcessesFile): Promise<EarlyClient | undefined> {
  const { env } = process;
  const noteProcess = (client: RunnerProcess) => processes.add(client);
  const command = clientCommand(spec, env);
  const ahead = command && startAhead(command, noteProcess);
  const { startEarly } = await import('./claude/early-client.ts');
  try {
    return startEarly(spec, { env, log, noteProcess, ahead });
  } catch (error) {
    log(`The client didn't start: ${(error as Error).message}`);
    return undefined;
  }
}

const [dir, mode] = process.argv.slice(2);
if (dir === undefined) {
  process.stderr.write('usage: runner DIR [--spare]\n');
  process.exit(2);
}
main(dir, mode).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
    process.exit(1);
  },
);
