import pino from 'pino';
import { DATA_FILES } from '../contract/data-files.ts';
import { watchBursts } from '../system/heap-size.ts';
import { startDaemon } from './daemon.ts';
import { DataDir } from './data-dir.ts';

export interface RunOptions {
  dataDir: string;
  configDir: string;
  port: number;
  version: string;
  /** How to run `gctl`. */
  program: readonly [string, ...string[]];
  webDir: string | undefined;
  /** The built file that threads run. */
  worker: string;
  /** A simulated clock, for the demo. */
  now?: () => number;
  /** The agents are simulated. */
  demo?: boolean;
  /** Started in the background, by a program that prints our first link. */
  isDetached?: boolean;
  /** Replace a broken journal with an empty one. */
  newJournal?: boolean;
}

/** Runs the daemon in this process until a signal ends it. */
export async function runDaemon(options: RunOptions): Promise<{ ended: Promise<void> }> {
  const dataDir = new DataDir(options.dataDir);
  dataDir.make();
  dataDir.refuseLinks();
  const logFile = pino.destination({ dest: dataDir.file(DATA_FILES.log), mode: 0o600, sync: true });
  // A full disk loses log lines, but must not end the daemon.
  logFile.on('error', () => undefined);
  const log = pino({ base: null }, logFile);
  const daemon = await startDaemon({ ...options, dataDir, host: '127.0.0.1', log, env: process.env });
  const bursts = watchBursts(daemon.recorded);
  const ended = new Promise<void>((resolve, reject) => {
    const stop = (signal: string) => {
      // An impatient second signal ends it immediately; the journal tolerates that.
      process.once(signal, () => process.exit(1));
      bursts.stop();
      daemon.stop().then(resolve, reject);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop(signal));
  });
  return { ended };
}
