import type { SearchHit, SearchPage, SearchQuery } from '../../../contract/search.ts';
import { readPiece } from '../lines/read-piece.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { type Candidate, type Found, findCandidates, readCandidates } from './candidates.ts';
import { type PrefixWords, prefixWords } from './expand-prefix.ts';
import { foldText } from './fold-text.ts';
import { fileMark, toolMark } from './piece-marks.ts';
import { byTime, eachOnce, rankCandidates } from './rank-candidates.ts';
import {
  BadQuery,
  type ParsedQuery,
  parseSearchQuery,
  type Term,
  toMatch,
  toSequence,
  toWithoutMatch,
} from './search-query.ts';
import { sessionsInScope } from './session-scope.ts';
import { makeSnippet } from './snippet.ts';
import { termPattern } from './term-pattern.ts';

export interface SearchArgs extends SearchQuery {
  /** Ids of the sessions on the board. */
  live: string[];
  now: number;
  timeZone: string;
}

/**
 * For a ubiquitous word, only the newest are ranked: ranking hundreds of thousands takes longer than a person waits, and nobody reads to
 * the end of them.
 */
const MAX_RANKED = 2000;
/** How many texts are read to check whether a flag or path appears in them literally. */
const MAX_READ = 400;
/** With more files than this, most are wanted, and checking each row costs little. */
const MAX_FILE_MARKS = 400;

interface SessionOfFile {
  sessionId: string;
  agentId: string | null;
  path: string;
  title: string | null;
  cwd: string | null;
  branch: string | null;
  model: string | null;
}

interface Shown {
  piece: Candidate;
  of: SessionOfFile;
  /** undefined: the transcript changed since it was indexed. */
  text: string | undefined;
}

export async function search(context: ReaderContext, args: SearchArgs): Promise<Omit<SearchPage, 'complete'>> {
  const began = performance.now();
  const query = parseSearchQuery(args.q, args);
  if (query.terms.length === 0 && query.without.length === 0 && query.filters.length === 0)
    throw new BadQuery('That has no words in it. Enter something to search for.');
  const scope = await sessionsInScope(context, query, args.live);
  const words = prefixWords(context.db);
  const broad = broadTerms(words, query);
  const { candidates, isCapped } =
    scope?.size === 0 ? { candidates: [], isCapped: false } : findPieces(context, query, { scope, broad, words });
  const ranked = query.terms.length > 0 ? rankCandidates(candidates) : eachOnce(candidates).toSorted(byTime);
  const { shown, total, isTotalCapped } = pickShown(context, ranked, { ...query, broad }, args);
  const end = args.offset + Math.min(shown.length, args.limit);
  return {
    hits: await toHits(context, shown.slice(0, args.limit), query, args),
    total,
    isTotalCapped: isCapped || isTotalCapped,
    nextOffset: shown.length > args.limit ? end : null,
    read: query.read,
    filters: query.filters,
    tookMs: Math.round((performance.now() - began) * 10) / 10,
  };
}

/**
 * Prefixes of very many words, such as `s*`. Looking all of them up takes as long as reading the index, so other words of the query are
 * searched first, and these within the results. If there are no others, some of the words have to do.
 */
function broadTerms(words: PrefixWords, { terms }: ParsedQuery): Set<Term> {
  const mayBe = terms.filter(({ isPrefix, mayGoOn }) => isPrefix || mayGoOn);
  return new Set(mayBe.filter(({ match }) => words.all(match) === undefined));
}

function findPieces(
  { db }: ReaderContext,
  query: ParsedQuery,
  { scope, broad, words }: { scope: Set<string> | null; broad: Set<Term>; words: PrefixWords },
): Found {
  const narrow = query.terms.filter((term) => !broad.has(term));
  if (broad.size === 0) return findTerms({ db }, query, { scope, words });
  if (narrow.length > 0) return findTerms({ db }, { ...query, terms: narrow }, { scope, words });
  return { ...findTerms({ db }, query, { scope, words }), isCapped: true };
}

function findTerms(
  { db }: Pick<ReaderContext, 'db'>,
  query: ParsedQuery,
  { scope, words }: { scope: Set<string> | null; words: PrefixWords },
): Found {
  const expand = (phrase: string) => words.some(phrase);
  const exact = toMatch(query, { goesOn: false, expand });
  if (exact === null) return findWithoutWords({ db }, query, conditions(query, scope));
  const goesOn = query.terms.some((term) => term.mayGoOn);
  const loose = () => (goesOn ? toMatch(query, { goesOn, expand }) : null);
  const files = scope && filesOf(db, scope);
  const isMarked = files !== null && files.length <= MAX_FILE_MARKS;
  const { where, params } = conditions(query, isMarked ? null : scope);
  const marks = [...marksIn(query), ...(isMarked ? [files.map(fileMark)] : [])];
  const { after, before } = query;
  const sequence = toSequence(query);
  return findCandidates(db, { exact, sequence, loose, marks, where, params, after, before }, MAX_RANKED);
}

/** Calls of a tool, or prompts: the newest. */
function findWithoutWords(
  { db }: Pick<ReaderContext, 'db'>,
  query: ParsedQuery,
  { where, params }: { where: string; params: unknown[] },
): Found {
  const kinds = query.kind.length > 0 ? query.kind : [query.tool.length > 0 ? 'tool_input' : 'prompt'];
  const without = toWithoutMatch(query);
  const rest = `pieces p JOIN origins o ON o.id = p.origin
    WHERE p.kind IN (SELECT value FROM json_each(?)) AND ${where}
      ${without ? 'AND p.id NOT IN (SELECT rowid FROM text WHERE text MATCH ?)' : ''}
    ORDER BY p.at DESC LIMIT ${MAX_RANKED + 1}`;
  const found = readCandidates(db, rest, [JSON.stringify(kinds), ...params, ...(without ? [without] : [])]);
  return { candidates: found.slice(0, MAX_RANKED), isCapped: found.length > MAX_RANKED };
}

function marksIn(query: ParsedQuery): string[][] {
  return [
    ...(query.kind.length > 0 ? [query.kind] : []),
    ...(query.tool.length > 0 ? [toolsOf(query).map(toolMark)] : []),
  ];
}

function filesOf(db: ReaderContext['db'], sessions: Set<string>): number[] {
  const rows = db
    .prepare('SELECT id FROM files WHERE session_id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify([...sessions])) as { id: number }[];
  return rows.map(({ id }) => id);
}

function conditions(query: ParsedQuery, scope: Set<string> | null) {
  const where = ['1'];
  const params: unknown[] = [];
  const add = (condition: string, ...values: unknown[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (scope)
    add(
      'p.file_id IN (SELECT id FROM files WHERE session_id IN (SELECT value FROM json_each(?)))',
      JSON.stringify([...scope]),
    );
  if (query.tool.length > 0) add(`lower(p.tool) IN (SELECT value FROM json_each(?))`, JSON.stringify(toolsOf(query)));
  if (query.after !== null) add('p.at >= ?', query.after);
  if (query.before !== null) add('p.at < ?', query.before);
  return { where: where.join(' AND '), params };
}

function toolsOf({ tool }: ParsedQuery): string[] {
  return tool.flatMap((names) => names.split(',')).map((name) => name.trim());
}

/** One more than requested, if there are more. */
function pickShown(
  { db }: ReaderContext,
  ranked: Candidate[],
  { terms, broad }: ParsedQuery & { broad: Set<Term> },
  { offset, limit }: SearchArgs,
): { shown: Shown[]; total: number; isTotalCapped: boolean } {
  const sessionOf = db.prepare(
    `SELECT f.session_id AS sessionId, f.agent_id AS agentId, f.path AS path, s.title AS title, s.cwd AS cwd,
       s.branch AS branch, s.model AS model FROM files f LEFT JOIN sessions s ON s.id = f.session_id WHERE f.id = ?`,
  );
  const open = (piece: Candidate): Shown[] => {
    const of = sessionOf.get(piece.fileId) as SessionOfFile | undefined;
    // the index moved on meanwhile, and the file is gone from it
    return of ? [{ piece, of, text: readPiece(of.path, piece) }] : [];
  };
  const areAllBroad = terms.every((term) => broad.has(term));
  const literals = terms.filter((term) => term.literal !== null || (broad.has(term) && !areAllBroad));
  if (literals.length === 0) {
    const shown = ranked.slice(offset, offset + limit + 1).flatMap(open);
    return { shown, total: ranked.length, isTotalCapped: false };
  }
  const patterns = literals.map(termPattern);
  const right: Shown[] = [];
  let place = 0;
  for (; place < Math.min(ranked.length, MAX_READ) && right.length <= offset + limit; place++)
    right.push(...open(ranked[place]!).filter(({ text }) => text === undefined || hasAll(text, patterns)));
  return {
    shown: right.slice(offset, offset + limit + 1),
    total: right.length,
    isTotalCapped: place < ranked.length,
  };
}

function hasAll(text: string, patterns: RegExp[]): boolean {
  const folded = foldText(text);
  return patterns.every((pattern) => folded.search(pattern) !== -1);
}

async function toHits(
  { projects }: ReaderContext,
  shown: Shown[],
  query: ParsedQuery,
  { live }: SearchArgs,
): Promise<SearchHit[]> {
  const running = new Set(live);
  const hits: SearchHit[] = [];
  for (const { piece, of, text } of shown) {
    const { sessionId, agentId, title, cwd, branch, model } = of;
    hits.push({
      sessionId,
      agentId,
      messageId: piece.uuid ?? `@${piece.start}`,
      kind: piece.kind,
      toolName: piece.tool,
      at: piece.at,
      snippet:
        text === undefined
          ? [{ text: 'The transcript changed after it was indexed.', match: false }]
          : makeSnippet(text, query.terms),
      title: title ?? 'Untitled session',
      projectDisplayName: (await projects.of(cwd)).name,
      gitBranch: branch,
      model,
      isLive: running.has(sessionId),
    });
  }
  return hits;
}
