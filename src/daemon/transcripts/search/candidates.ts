import type { SEARCH_KINDS } from '../../../contract/search-kinds.ts';
import type { Sqlite } from '../../journal/sqlite.ts';
import { dayMark, dayOf, fileMark, weekMark, weekOfDay } from './piece-marks.ts';

/** A piece found in the full text. */
export interface Candidate {
  id: number;
  fileId: number;
  start: number;
  block: number;
  uuid: string | null;
  kind: (typeof SEARCH_KINDS)[number];
  tool: string | null;
  at: number | null;
  length: number;
  isForked: number;
  bornMs: number;
  /** It has the exact words, not only longer ones. */
  isExact: boolean;
  /** One after the other, as in the query. */
  isInSequence: boolean;
}

export interface Wanted {
  /** The exact words. */
  exact: string;
  /** The same, one after the other. null: there is one word. */
  sequence: string | null;
  /** Longer words too; null: none continue. Finding them takes a while. */
  loose: () => string | null;
  /** One of each list must be among a piece's marks. */
  marks: string[][];
  /** What the marks don't decide, for the pieces `p`. */
  where: string;
  params: unknown[];
  after: number | null;
  before: number | null;
}

export interface Found {
  candidates: Candidate[];
  /** There are more: these are the newest. */
  isCapped: boolean;
}

/** With more transcripts than this, those containing a common word aren't searched one by one. */
const MAX_PROBED = 2000;

/**
 * The matching pieces; for a ubiquitous word the newest `max`, by their own time and not by when they were indexed. Day and week marks lead
 * there without looking at the others.
 */
export function findCandidates(db: Sqlite, wanted: Wanted, max: number): Found {
  const exact = newest(db, wanted, wanted.exact, max);
  for (const candidate of exact.candidates) candidate.isExact = true;
  // of a ubiquitous combination, only the newest are ranked: looking through all of them for a sequence would take long
  if (wanted.sequence !== null && !exact.isCapped && exact.candidates.length > 1) {
    const inSequence = matching(db, wanted.sequence, wanted.marks);
    for (const candidate of exact.candidates) candidate.isInSequence = inSequence.has(candidate.id);
  }
  const longer = exact.isCapped ? null : wanted.loose();
  if (longer === null) return exact;
  const loose = newest(db, wanted, longer, max);
  const known = new Set(exact.candidates.map(({ id }) => id));
  const more = loose.candidates.filter(({ id }) => !known.has(id));
  return { candidates: [...exact.candidates, ...more], isCapped: loose.isCapped };
}

function matching(db: Sqlite, match: string, marks: string[][]): Set<number> {
  const rows = db.prepare('SELECT rowid AS id FROM text WHERE text MATCH ?').all(expression(match, marks));
  return new Set((rows as { id: number }[]).map(({ id }) => id));
}

/** The transcripts with matches, including longer words. If there are very many, those of the newest `max` pieces. */
export function findFiles(db: Sqlite, wanted: Wanted, max: number): { fileIds: Set<number>; isCapped: boolean } {
  const match = wanted.loose() ?? wanted.exact;
  const statement = db.prepare(
    `SELECT p.file_id AS id, COUNT(*) AS count FROM text JOIN pieces p ON p.id = text.rowid
     WHERE text MATCH ? AND ${wanted.where} GROUP BY p.file_id`,
  );
  const files = (marks: string[][]) =>
    statement.all(expression(match, [...wanted.marks, ...marks]), ...wanted.params) as { id: number; count: number }[];
  const hasMore = counter(db, wanted, match);
  if (isMerged(match) || !hasMore([], max)) return { fileIds: new Set(files([]).map(({ id }) => id)), isCapped: false };
  const found = new Set<number>();
  let count = 0;
  for (const week of weeksOf(daysBetween(db, wanted))) {
    for (const file of files([[weekMark(week)]])) {
      found.add(file.id);
      count += file.count;
    }
    if (count >= max) break;
  }
  const others = (db.prepare('SELECT id FROM files').all() as { id: number }[]).filter(({ id }) => !found.has(id));
  if (others.length > MAX_PROBED) return { fileIds: found, isCapped: true };
  for (const { id } of others) if (hasMore([[fileMark(id)]], 0)) found.add(id);
  return { fileIds: found, isCapped: false };
}

/** In the order they are read from the result, which is one text: thousands of rows cost twice as much one by one. */
const COLUMNS = [
  ['id', 'p.id'],
  ['fileId', 'p.file_id'],
  ['start', 'p.start'],
  ['block', 'p.block'],
  ['uuid', 'p.uuid'],
  ['kind', 'p.kind'],
  ['tool', 'p.tool'],
  ['at', 'p.at'],
  ['length', 'p.length'],
  ['isForked', 'o.is_forked'],
  ['bornMs', 'o.born_ms'],
] as const;

/** `rest`: from the tables on; with the pieces `p` and their origins `o`. */
export function readCandidates(db: Sqlite, rest: string, params: unknown[]): Candidate[] {
  const inner = COLUMNS.map(([name, column]) => `${column} AS ${name}`).join(', ');
  const names = COLUMNS.map(([name]) => name);
  const { rows } = db
    .prepare(`SELECT json_group_array(json_array(${names.join(', ')})) AS rows FROM (SELECT ${inner} FROM ${rest})`)
    .get(...params) as { rows: string };
  return (JSON.parse(rows) as Parameters<typeof toCandidate>[0][]).map(toCandidate);
}

function toCandidate([id, fileId, start, block, uuid, kind, tool, at, length, isForked, bornMs]: [
  number,
  number,
  number,
  number,
  string | null,
  Candidate['kind'],
  string | null,
  number | null,
  number,
  number,
  number,
]): Candidate {
  return {
    id,
    fileId,
    start,
    block,
    uuid,
    kind,
    tool,
    at,
    length,
    isForked,
    bornMs,
    isExact: false,
    isInSequence: false,
  };
}

function newest(db: Sqlite, wanted: Wanted, match: string, max: number): Found {
  const read = (marks: string[][], { limit, order = '' }: { limit: number; order?: string }) => {
    const all = [...wanted.marks, ...marks];
    if (all.some((list) => list.length === 0)) return [];
    const rest = `text JOIN pieces p ON p.id = text.rowid JOIN origins o ON o.id = p.origin
      WHERE text MATCH ? AND ${wanted.where} ${order} LIMIT ?`;
    return readCandidates(db, rest, [expression(match, all), ...wanted.params, limit]);
  };
  if (isMerged(match)) {
    const found = read([], { limit: max + 1, order: NEWEST_FIRST });
    return { candidates: found.slice(0, max), isCapped: found.length > max };
  }
  const days = daysBetween(db, wanted);
  const found: Candidate[] = [];
  /** False: there are more than needed, and none is taken. */
  const takeAll = (weeks: number[]): boolean => {
    const left = max - found.length;
    const some = read([weeks.map(weekMark)], { limit: left + 1 });
    if (some.length <= left) found.push(...some);
    return some.length <= left;
  };
  for (const weeks of growing(weeksOf(days))) {
    if (takeAll(weeks)) continue;
    const full = weeks.length === 1 ? weeks[0] : weeks.find((week) => !takeAll([week]));
    for (const day of days.filter((one) => weekOfDay(one) === full))
      if (found.length < max) found.push(...read([[dayMark(day)]], { limit: max - found.length, order: NEWEST_FIRST }));
    return { candidates: found, isCapped: true };
  }
  return { candidates: found, isCapped: false };
}

const NEWEST_FIRST = 'ORDER BY p.at DESC';

/** All rows for words with a common prefix are merged before the first is returned, and again for each query, so one query has to do. */
function isMerged(match: string): boolean {
  return match.includes('"*');
}

/** One, then two, four, eight …: a rare word needs few checks over many weeks, a common one no check beyond the last. */
function* growing(weeks: number[]): Generator<number[]> {
  for (let from = 0, size = 1; from < weeks.length; from += size, size *= 2) yield weeks.slice(from, from + size);
}

/** Whether there are more than this many, without reading any of them. */
function counter(db: Sqlite, { marks, where, params }: Wanted, match: string) {
  const tables = where === '1' ? 'text' : 'text JOIN pieces p ON p.id = text.rowid';
  const statement = db.prepare(`SELECT 1 FROM ${tables} WHERE text MATCH ? AND ${where} LIMIT 1 OFFSET ?`);
  return (more: string[][], count: number): boolean => {
    const all = [...marks, ...more];
    // nothing is in an empty list
    if (all.some((list) => list.length === 0)) return false;
    return statement.get(expression(match, all), ...params, count) !== undefined;
  };
}

function expression(match: string, marks: string[][]): string {
  const among = marks.map((list) => `kinds : (${list.map((mark) => `"${mark}"`).join(' OR ')})`);
  return [match, ...among].join(' AND ');
}

/** Newest first. */
function daysBetween(db: Sqlite, { after, before }: Pick<Wanted, 'after' | 'before'>): number[] {
  const from = after === null ? 0 : dayOf(after);
  const to = before === null ? Number.MAX_SAFE_INTEGER : dayOf(before);
  const rows = db.prepare('SELECT day FROM days WHERE day >= ? AND day <= ? ORDER BY day DESC').all(from, to);
  return (rows as { day: number }[]).map(({ day }) => day);
}

function weeksOf(days: number[]): number[] {
  return [...new Set(days.map(weekOfDay))];
}
