import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { foldersOf } from '../index/find-transcripts.ts';
import { Prices } from '../prices/prices.ts';
import { LiveTail } from '../tail/live-tail.ts';
import type { FromTail, TailStart, ToTail } from '../tail/tail-messages.ts';
import { FileWatch } from '../tail/watch-files.ts';

/** A busy client writes many lines a second. They are read in batches, since a headless run shares its cores with us. */
const GATHER_MS = 100;
/** The index isn't live, and each of its runs costs a busy client milliseconds. */
const TELL_MS = 1_000;
/** The index and the tail start together, give or take a slow start. */
const START_MS = 60_000;
/** A hook may arrive before its event is in the transcript. */
const LOOK_AGAIN_MS = 250;

/** The thread that follows transcripts: no index run, however long, keeps it from reading what is written now. */
export function runTail(port: MessagePort, { overrides, ...paths }: TailStart): void {
  const send = (message: FromTail) => port.postMessage(message);
  const onError = (error: unknown) =>
    send({ kind: 'problem', message: error instanceof Error ? String(error.stack) : String(error) });
  const tail = new LiveTail({
    prices: new Prices(overrides),
    send: (sessionId, reading) => send({ kind: 'reading', sessionId, reading }),
    sendResults: (sessionId, callIds) => send({ kind: 'results', sessionId, callIds }),
    askLineage: (sessionId, readTo) => send({ kind: 'lineage', sessionId, readTo }),
    onError,
  });
  const touched = new Set<string>();
  const changed = new Set<string>();
  const looking = new Map<string, NodeJS.Timeout>();
  const watches = foldersOf(paths).map(
    (folder) =>
      new FileWatch({
        folder: join(folder, 'projects'),
        onChange: (path, { isFirst, mtimeMs }) => {
          gather(path);
          // the index finds existing files on its own, but it may have looked before this was written
          if (!isFirst || Date.now() - mtimeMs < START_MS) tell(path);
        },
        onGone: (path) => {
          changed.delete(path);
          tail.onGone(path);
          tell(path);
        },
        onError,
      }),
  );

  function gather(path: string): void {
    changed.add(path);
    if (changed.size > 1) return;
    setTimeout(() => {
      const paths = [...changed];
      changed.clear();
      for (const one of paths) tail.onChange(one);
    }, GATHER_MS);
  }

  function tell(path: string): void {
    touched.add(path);
    if (touched.size > 1) return;
    setTimeout(() => {
      send({ kind: 'touched', paths: [...touched] });
      touched.clear();
    }, TELL_MS);
  }

  function poke(sessionId: string): void {
    if (!tail.knows(sessionId)) for (const watch of watches) watch.scanSoon();
    if (looking.has(sessionId)) return;
    const again = () => {
      looking.delete(sessionId);
      tail.check(sessionId);
    };
    looking.set(sessionId, setTimeout(again, LOOK_AGAIN_MS));
  }

  port.on('message', (message: ToTail) => {
    if (message.kind === 'follow') for (const id of message.sessionIds) tail.follow(id);
    else if (message.kind === 'unfollow') tail.unfollow(message.sessionId);
    else if (message.kind === 'poke') for (const id of message.sessionIds) poke(id);
    else if (message.kind === 'lineage') tail.setLineage(message.sessionId, message.lineage);
    else tail.setPrices(new Prices(message.overrides));
  });

  for (const watch of watches) watch.start();
  tail.start();
}
