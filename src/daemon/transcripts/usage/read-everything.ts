import { inLongTransaction, type Sqlite } from '../../journal/sqlite.ts';
import { FileRows } from '../index/file-rows.ts';
import { type Unreadable, whyUnreadable } from '../index/find-transcripts.ts';
import type { FirstLook } from '../index/first-look.ts';
import { openPassingHistory } from '../index/schema.ts';
import { type ScanUsage, Totals } from '../index/totals-pass.ts';
import type { Prices } from '../prices/prices.ts';

export interface EverythingUsed {
  db: Sqlite;
  files: number;
  unreadable: Unreadable[];
}

/** The usage of all transcripts in these folders, read from scratch by the daemon's own reader, and stored nowhere. */
export async function readEverything(options: {
  projects: readonly string[];
  prices: Prices;
  look: () => Promise<FirstLook>;
  scan: ScanUsage;
}): Promise<EverythingUsed> {
  const { projects, prices, look, scan } = options;
  const db = openPassingHistory();
  const rows = new FileRows(db);
  const totals = new Totals({ db, rows, projects: () => projects, prices });
  const { stale, unreadable } = await look();
  const onProgress = ({ path, wasRead }: { path: string; wasRead: boolean }) => {
    const reason = wasRead ? undefined : whyUnreadable(path);
    if (reason) unreadable.push({ path, reason });
  };
  await inLongTransaction(db, () => totals.update(stale, scan, onProgress));
  return { db, files: [...rows.rows()].length, unreadable };
}
