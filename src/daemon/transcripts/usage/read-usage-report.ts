import { existsSync } from 'node:fs';
import { realProjects, type Unreadable } from '../index/find-transcripts.ts';
import { lookFirst } from '../index/first-look.ts';
import type { ReadOverrides } from '../prices/price-overrides.ts';
import { Prices } from '../prices/prices.ts';
import { scanAheadInThreads } from '../threads/scan-in-threads.ts';
import type { UsageQuery, UsageReport } from './usage-report.ts';

export type { UsageQuery, UsageReport };

export interface ReadUsageReport {
  report: UsageReport;
  files: number;
  unreadable: Unreadable[];
  /** What is wrong with the operator's prices. */
  priceProblem: string | null;
}

/** All in this process and its threads, without a daemon or an index. */
export async function readUsageReport(options: {
  configDirs: readonly string[];
  pricesPath: string;
  worker: string;
  query: UsageQuery;
}): Promise<ReadUsageReport> {
  const { configDirs, query, worker } = options;
  const { overrides, problem } = await ownPrices(options.pricesPath);
  const projects = [...new Set(configDirs.map(realProjects))];
  const threads = scanAheadInThreads(worker, { projects, overrides, givesWay: false, stop: null });
  try {
    // SQLite is loaded while the threads read
    const [{ readEverything }, { usageReport }] = await Promise.all([
      import('./read-everything.ts'),
      import('./usage-report.ts'),
    ]);
    const { db, files, unreadable } = await readEverything({
      projects,
      prices: new Prices(overrides),
      look: async () => (await threads.look()) ?? lookFirst(projects),
      scan: threads.scan,
    });
    const report = await usageReport(db, query);
    db.close();
    return { report, files, unreadable, priceProblem: problem };
  } finally {
    threads.dismiss();
  }
}

/** Few people set their own prices, and loading the validator takes longer than everything else here. */
async function ownPrices(path: string): Promise<ReadOverrides> {
  if (!existsSync(path)) return { overrides: [], problem: null };
  return (await import('../prices/price-overrides.ts')).readOverrides(path);
}
