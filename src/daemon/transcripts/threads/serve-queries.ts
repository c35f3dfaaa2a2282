import type { MessagePort } from 'node:worker_threads';
import { Projects } from '../index/projects.ts';
import { openHistoryToRead } from '../index/schema.ts';
import { Prices } from '../prices/prices.ts';
import { toPlainError } from './plain-error.ts';
import { QUERIES, type ReaderContext, STREAMS } from './queries.ts';
import { RecentAnswers } from './recent-answers.ts';
import type { FromReader, ReaderStart, ToReader } from './worker-messages.ts';

type Ask = (context: ReaderContext, args: unknown) => unknown;
type Question = Exclude<ToReader, { kind: 'prices' }>;
type Read = (context: ReaderContext, args: unknown) => AsyncIterable<string> | Iterable<string>;

/** The reader's thread: answers queries about what is indexed. */
export function serveQueries(port: MessagePort, { paths, overrides }: ReaderStart): void {
  const context: ReaderContext = {
    db: openHistoryToRead(paths.historyPath),
    prices: new Prices(overrides),
    projects: new Projects(),
    recent: new RecentAnswers(),
    paths,
  };
  const streams = new Map<number, AsyncIterator<string> | Iterator<string>>();
  const send = (message: FromReader) => port.postMessage(message);

  async function answer(message: Question): Promise<void> {
    const { id } = message;
    if (message.kind === 'ask') {
      const ask = (QUERIES as Record<string, unknown>)[message.name] as Ask;
      return send({ kind: 'answer', id, value: await ask(context, message.args) });
    }
    if (message.kind === 'read') {
      const read = (STREAMS as Record<string, unknown>)[message.name] as Read;
      const pieces = read(context, message.args);
      streams.set(id, Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]());
      return;
    }
    const stream = streams.get(id);
    if (!stream) return;
    if (message.kind === 'cancel') {
      streams.delete(id);
      await stream.return?.();
      return;
    }
    const next = await stream.next();
    if (!next.done) return send({ kind: 'chunk', id, chunk: next.value });
    streams.delete(id);
    send({ kind: 'end', id });
  }

  port.on('message', (message: ToReader) => {
    if (message.kind === 'prices') {
      context.prices = new Prices(message.overrides);
      context.recent.clear();
      return;
    }
    answer(message).catch((error) => {
      streams.delete(message.id);
      send({ kind: 'failure', id: message.id, error: toPlainError(error) });
    });
  });
}
