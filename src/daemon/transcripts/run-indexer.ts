import type { MessagePort } from 'node:worker_threads';
import { openHistory } from './schema.ts';
import type { FromIndexer, ToIndexer, WorkerStart } from './worker-messages.ts';

/** The indexer's thread: the only one that writes to history.db. */
export function runIndexer(port: MessagePort, { places }: WorkerStart & { role: 'indexer' }): void {
  const db = openHistory(places.historyPath);
  const send = (message: FromIndexer) => port.postMessage(message);
  port.on('message', (message: ToIndexer) => {
    if (message.kind !== 'stop') return;
    db.close();
    port.close();
  });
  send({ kind: 'ready' });
}
