import type { ByteSource } from './byte-source.ts';
import { writeCursor } from './cursor.ts';
import type { Draft } from './fold-messages.ts';
import type { ReadOptions } from './read-entry.ts';
import { readPage } from './read-page.ts';

const PAGE = 200;

/** Every message of a transcript, in order, a page at a time. What is written meanwhile is left out. */
export function* walkDrafts(source: ByteSource, options: ReadOptions): Generator<Draft[]> {
  for (let after = '0'; ; ) {
    const page = readPage(source, { after, from: 'start', limit: PAGE }, options);
    // a message with a later update appears in the next page again
    yield page.drafts.filter(({ head }) => head >= page.start.position);
    if (!page.hasLater) return;
    after = writeCursor(page.end);
  }
}
