import { findTranscripts, lookAt, type Unreadable } from './find-transcripts.ts';
import type { Stale } from './totals-pass.ts';

/** With more files than this, sizes aren't read first. */
const MANY_FILES = 5000;

/** What there is to read when nothing was read yet. */
export interface FirstLook {
  stale: Stale[];
  unreadable: Unreadable[];
}

/** Largest first, so no thread is left with a large file at the end. */
export function lookFirst(projects: readonly string[]): FirstLook {
  const { paths, unreadable } = findTranscripts(...projects);
  if (paths.length > MANY_FILES) return { stale: paths.map((path) => ({ path, file: undefined })), unreadable };
  const stale = paths.flatMap((path) => {
    const file = lookAt(path);
    return file ? [{ path, file }] : [];
  });
  return { stale: stale.sort((a, b) => b.file.size - a.file.size), unreadable };
}
