import { DATA_FILES, NATIVE_FOLDERS } from '../../contract/data-files.ts';
import { historyRoutes } from '../http/history.ts';
import { messageRoutes } from '../http/messages.ts';
import { priceRoutes } from '../http/prices.ts';
import { PriceBook } from '../transcripts/prices/price-book.ts';
import { Today } from '../transcripts/stats/today.ts';
import { LiveTranscripts } from '../transcripts/tail/live-transcripts.ts';
import { Transcripts } from '../transcripts/transcripts.ts';
import type { AccessPart } from './access.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

export type TranscriptsPart = ReturnType<typeof transcriptsPart>;

/** What transcripts say: history, search, statistics, messages, and the costs on the board. */
export function transcriptsPart(
  { dataDir, configDir, worker, now, onError }: Base,
  { core, acting }: Pick<CorePart, 'core'> & Pick<AccessPart, 'acting'>,
) {
  const { live, hub, record } = core;
  const nativeDir = dataDir.file(NATIVE_FOLDERS.root);
  const priceBook = new PriceBook(dataDir.file(DATA_FILES.prices));
  const transcripts = new Transcripts({
    worker,
    paths: {
      historyPath: dataDir.file('history.db'),
      journalPath: dataDir.file('journal.db'),
      configDir,
      nativeDir,
    },
    overrides: () => priceBook.overrides,
    onError,
  });
  const today = new Today({
    ask: () => transcripts.query('today', { now: now() }),
    warmUp: () => transcripts.warmUp(),
    phase: () => transcripts.status().phase,
    hub,
    live,
    onError,
  });
  const liveTranscripts = new LiveTranscripts({
    core,
    worker,
    configDir,
    nativeDir,
    priceBook,
    lineageOf: (asked) => transcripts.query('lineage', asked),
    onTouched: (paths) => {
      for (const path of paths) transcripts.poke(path);
      today.touch();
    },
    onError,
  });
  return {
    priceBook,
    today,
    routes: [
      historyRoutes({ transcripts, live }),
      messageRoutes({ transcripts, live, acting }),
      priceRoutes({ priceBook, transcripts, record }),
    ],
    start() {
      transcripts.start();
      liveTranscripts.start();
      today.start();
    },
    async stop() {
      today.stop();
      await Promise.all([transcripts.stop(), liveTranscripts.stop()]);
    },
  };
}
