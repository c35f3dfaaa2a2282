import { isBetterSighting, type UsageRecord } from './usage.ts';

/** What the messages in one transcript used, each counted once. */
export type FileUsage = Map<string, UsageRecord>;

/** True: it has something new. */
export function addSighting(usage: FileUsage, record: UsageRecord): boolean {
  const known = usage.get(record.key);
  if (known && !isBetterSighting(record, known)) return false;
  usage.set(record.key, record);
  return true;
}

export type UsageRow = [
  key: string,
  at: number,
  model: number,
  branch: number,
  marks: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite5m: number,
  cacheWrite1h: number,
  webSearches: number,
];

export const FAST = 1;
export const BATCH = 2;
export const US_ONLY = 4;
const SIDECHAIN = 8;
const COPY = 16;
const FORKED = 32;

/** As text, for other threads and for the index. Repeated names are written once. */
export function packUsage(usage: FileUsage): string {
  const models = new Map<string, number>();
  const branches = new Map<string, number>();
  const rows: UsageRow[] = [];
  for (const one of usage.values()) {
    const marks =
      (one.isFast ? FAST : 0) |
      (one.isBatch ? BATCH : 0) |
      (one.isUsOnly ? US_ONLY : 0) |
      (one.isSidechain ? SIDECHAIN : 0) |
      (one.isCopy ? COPY : 0) |
      (one.isForked ? FORKED : 0);
    rows.push([
      one.key,
      one.at,
      placeOf(models, one.model),
      one.branch === null ? -1 : placeOf(branches, one.branch),
      marks,
      one.input,
      one.output,
      one.cacheRead,
      one.cacheWrite5m,
      one.cacheWrite1h,
      one.webSearches,
    ]);
  }
  return JSON.stringify({ models: [...models.keys()], branches: [...branches.keys()], rows });
}

export const EMPTY_USAGE = '{"models":[],"branches":[],"rows":[]}';

/** As it was packed, for those who need only a part of each message. */
export function parseUsage(packed: string): { models: string[]; branches: string[]; rows: UsageRow[] } {
  return JSON.parse(packed);
}

export function unpackUsage(packed: string): FileUsage {
  const { models, branches, rows } = parseUsage(packed);
  const usage: FileUsage = new Map();
  for (const row of rows) usage.set(row[0], unpackRow(row, models, branches));
  return usage;
}

export function unpackRow(row: UsageRow, models: readonly string[], branches: readonly string[]): UsageRecord {
  const [key, at, model, branch, marks, input, output, cacheRead, cacheWrite5m, cacheWrite1h, webSearches] = row;
  return {
    key,
    at,
    model: models[model]!,
    branch: branches[branch] ?? null,
    input,
    output,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    webSearches,
    isFast: (marks & FAST) > 0,
    isBatch: (marks & BATCH) > 0,
    isUsOnly: (marks & US_ONLY) > 0,
    isSidechain: (marks & SIDECHAIN) > 0,
    isCopy: (marks & COPY) > 0,
    isForked: (marks & FORKED) > 0,
  };
}

function placeOf(names: Map<string, number>, name: string): number {
  const known = names.get(name);
  if (known !== undefined) return known;
  names.set(name, names.size);
  return names.size - 1;
}
