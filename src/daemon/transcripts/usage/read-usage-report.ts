import type { Unreadable } from '../index/find-transcripts.ts';
import { readOverrides } from '../prices/price-overrides.ts';
import { Prices } from '../prices/prices.ts';
import { scanInThreads } from '../threads/scan-in-threads.ts';
import { readEverything } from './read-everything.ts';
import { type UsageQuery, type UsageReport, usageReport } from './usage-report.ts';

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
  const threads = scanInThreads(options.worker, { givesWay: false });
  threads.prepare();
  const { overrides, problem } = readOverrides(options.pricesPath);
  try {
    const { configDirs, query } = options;
    const { db, files, unreadable } = await readEverything({
      configDirs,
      prices: new Prices(overrides),
      scan: threads.scan,
    });
    const report = await usageReport(db, query);
    db.close();
    return { report, files, unreadable, priceProblem: problem };
  } finally {
    threads.dismiss();
  }
}
