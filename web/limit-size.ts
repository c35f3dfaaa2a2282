import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** In KB, compressed. If a limit is exceeded, something crept in unnoticed, or it is worth raising the limit for. */
const FIRST_LOAD_KB = 215;
const LATER_KB = 60;

/** Fails the build if the page's code exceeds its limits: everything that loads before the board shows, and each part that loads later. */
export function limitSize(): Plugin {
  return {
    name: 'limit-size',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const first = new Set(chunks.filter(({ isEntry, name }) => isEntry || name === 'page'));
      for (const one of first) for (const file of importsOf(one, chunks)) first.add(file);
      const total = [...first].reduce((sum, { code }) => sum + kilobytes(code), 0);
      if (total > FIRST_LOAD_KB)
        this.error(
          `The first load is ${total.toFixed(0)} KB compressed, more than ${FIRST_LOAD_KB}. See web/limit-size.ts.`,
        );
      for (const file of chunks) {
        if (first.has(file) || kilobytes(file.code) <= LATER_KB) continue;
        this.error(
          `${file.fileName} is ${kilobytes(file.code).toFixed(0)} KB compressed, more than ${LATER_KB}. Load it in parts.`,
        );
      }
    },
  };
}

function importsOf({ imports }: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]) {
  return chunks.filter(({ fileName }) => imports.includes(fileName));
}

const kilobytes = (code: string) => gzipSync(code).length / 1024;
