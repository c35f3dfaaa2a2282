import type { MessagePort } from 'node:worker_threads';
import type { IndexProgress } from '../../../contract/history.ts';
import { foldersOf, realProjects } from '../index/find-transcripts.ts';
import { Indexer } from '../index/indexer.ts';
import { isBroken, openHistory, throwAway } from '../index/schema.ts';
import { UnsyncedWrites } from '../index/unsynced-writes.ts';
import { Prices } from '../prices/prices.ts';
import { readTextInThread } from './read-text-in-thread.ts';
import { scanInThreads } from './scan-in-threads.ts';
import type { FromIndexer, IndexerStart, ToIndexer } from './worker-messages.ts';

const STATUS_MS = 100;
/** How often to retry transcripts we may not read. */
const RETRY_MS = 5_000;

/** The indexer's thread: the only one that writes to history.db. */
export function runIndexer(port: MessagePort, { paths, worker, overrides, stop, scanners }: IndexerStart): void {
  const unsynced = new UnsyncedWrites({
    historyPath: paths.historyPath,
    isIdle: () => indexer.status().phase === 'idle',
  });
  if (unsynced.wereLost()) throwAway(paths.historyPath);
  const stopFlag = new Int32Array(stop);
  const isStopped = () => Atomics.load(stopFlag, 0) === 1;
  const threads = scanInThreads(worker, { isStopped, scanners });
  const db = openHistory(paths.historyPath);
  const send = (message: FromIndexer) => port.postMessage(message);
  let retrying: NodeJS.Timeout | undefined;
  const close = (failure?: unknown) => {
    clearInterval(retrying);
    threads.dismiss();
    unsynced.stop();
    db.close();
    // deep corruption shows only when it is read
    if (isBroken(failure)) throwAway(paths.historyPath);
    port.close();
  };
  const newIndexer = (): Indexer => {
    try {
      const indexer = new Indexer({
        db,
        projects: () => foldersOf(paths).map(realProjects),
        prices: new Prices(overrides),
        lookAhead: threads.look,
        scanMany: threads.scan,
        readMany: readTextInThread(worker),
        isStopped,
        onGreatDeal: () => unsynced.begin(db),
        onProgress: sparingly((phase) => {
          if (phase === 'idle') unsynced.rest(db);
          // there was too little to read for them
          if (phase !== 'finding' && phase !== 'totals') threads.dismiss();
          send({ kind: 'status', status: indexer.status() });
        }),
      });
      return indexer;
    } catch (error) {
      close(error);
      throw error;
    }
  };
  const indexer = newIndexer();
  let work = Promise.resolve();
  const run = (step: () => Promise<void>) => {
    work = step().catch((error) => {
      // memory may be ahead of the disk: a new thread starts from there
      send({
        kind: 'problem',
        reason: error.message,
        message: `the transcript indexer crashed and is restarting: ${error.stack}`,
      });
      close(error);
    });
  };
  port.on('message', (message: ToIndexer) => {
    if (message.kind === 'poke') run(() => indexer.touch(message.path));
    else if (message.kind === 'prices') {
      const { id, overrides: own } = message;
      run(() => indexer.setPrices(new Prices(own), () => send({ kind: 'repriced', id })));
    } else work.finally(() => close());
  });
  retrying = setInterval(() => run(() => indexer.retryUnreadable()), RETRY_MS).unref();
  send({ kind: 'ready' });
  run(() => indexer.scan());
}

/** Throttled, but every phase is reported. */
function sparingly(tell: (phase: IndexProgress['phase']) => void): (phase: IndexProgress['phase']) => void {
  let lastAt = 0;
  let lastPhase = '';
  return (phase) => {
    const now = performance.now();
    if (phase === lastPhase && phase !== 'idle' && now - lastAt < STATUS_MS) return;
    lastAt = now;
    lastPhase = phase;
    tell(phase);
  };
}
