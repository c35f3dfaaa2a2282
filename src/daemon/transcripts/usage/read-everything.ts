import { inLongTransaction, type Sqlite } from '../../journal/sqlite.ts';
import { FileRows } from '../index/file-rows.ts';
import { findTranscripts, lookAt, realProjects, type Unreadable, whyUnreadable } from '../index/find-transcripts.ts';
import { openPassingHistory } from '../index/schema.ts';
import { type ScanUsage, Totals } from '../index/totals-pass.ts';
import type { Prices } from '../prices/prices.ts';

/** With more files than this, sizes aren't read first. */
const MANY_FILES = 5000;

export interface EverythingUsed {
  db: Sqlite;
  files: number;
  unreadable: Unreadable[];
}

/** The usage of all transcripts in these config folders, read from scratch by the daemon's own reader, and stored nowhere. */
export async function readEverything(options: {
  configDirs: readonly string[];
  prices: Prices;
  scan: ScanUsage;
}): Promise<EverythingUsed> {
  const { configDirs, prices, scan } = options;
  const db = openPassingHistory();
  const rows = new FileRows(db);
  const folders = [...new Set(configDirs.map(realProjects))];
  let folder = '';
  const totals = new Totals({ db, rows, projects: () => [folder], prices });
  const unreadable: Unreadable[] = [];
  const onProgress = ({ path, wasRead }: { path: string; wasRead: boolean }) => {
    const reason = wasRead ? undefined : whyUnreadable(path);
    if (reason) unreadable.push({ path, reason });
  };
  await inLongTransaction(db, async () => {
    for (folder of folders) {
      const found = findTranscripts(folder);
      unreadable.push(...found.unreadable);
      await totals.update(largestFirst(found.paths), scan, onProgress);
    }
  });
  return { db, files: [...rows.rows()].length, unreadable };
}

function largestFirst(paths: string[]) {
  if (paths.length > MANY_FILES) return paths.map((path) => ({ path, file: undefined }));
  return paths.map((path) => ({ path, file: lookAt(path) })).sort((a, b) => (b.file?.size ?? 0) - (a.file?.size ?? 0));
}
