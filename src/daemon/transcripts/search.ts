import type { SearchHit, SearchPage, SearchQuery } from '../../contract/search.ts';
import type { ReaderContext } from './queries.ts';
import { readPiece } from './read-piece.ts';
import { BadQuery, type ParsedQuery, parseSearchQuery, toMatch, toWithoutMatch } from './search-query.ts';
import { sessionsInScope } from './session-scope.ts';
import { makeSnippet } from './snippet.ts';

export interface SearchArgs extends SearchQuery {
  /** Ids of the sessions that are on the board. */
  live: string[];
  now: number;
  timeZone: string;
}

/**
 * Of a word that stands everywhere only the newest are ranked: to rank hundreds of thousands takes longer than a person
 * waits, and nobody reads on to the end of them.
 */
const MAX_RANKED = 2000;

interface Found {
  fileId: number;
  start: number;
  block: number;
  uuid: string | null;
  kind: SearchHit['kind'];
  tool: string | null;
  at: number | null;
}

interface SessionOfFile {
  sessionId: string;
  agentId: string | null;
  path: string;
  title: string | null;
  cwd: string | null;
  branch: string | null;
  model: string | null;
}

export async function search(context: ReaderContext, args: SearchArgs): Promise<Omit<SearchPage, 'complete'>> {
  const began = performance.now();
  const query = parseSearchQuery(args.q, args);
  if (query.terms.length === 0 && query.without.length === 0 && query.filters.length === 0)
    throw new BadQuery('There is no word in that. Say what to look for.');
  const scope = await sessionsInScope(context, query, args.live);
  const found = scope?.size === 0 ? [] : findPieces(context, query, scope, args);
  const hits = await toHits(context, found.slice(0, args.limit), query, args);
  return {
    hits,
    nextOffset: found.length > args.limit ? args.offset + args.limit : null,
    filters: query.filters,
    tookMs: Math.round((performance.now() - began) * 10) / 10,
  };
}

function findPieces(
  { db }: ReaderContext,
  query: ParsedQuery,
  scope: Set<string> | null,
  { offset, limit }: SearchArgs,
): Found[] {
  const match = toMatch(query);
  const { where, params } = conditions(query, scope, { match });
  const columns =
    'p.id AS id, p.file_id AS fileId, p.start AS start, p.block AS block, p.uuid AS uuid, p.kind AS kind, p.tool AS tool, p.at AS at';
  const from = match
    ? // what people and models said is sooner what is looked for than what a tool printed; bm25 is the lower the better
      `SELECT ${columns}, bm25(text, 1, 0) * CASE p.kind WHEN 'prompt' THEN 1.5 WHEN 'answer' THEN 1.2 ELSE 1 END AS score
       FROM text JOIN pieces p ON p.id = text.rowid WHERE text MATCH ? AND ${where}
       ORDER BY text.rowid DESC LIMIT ${MAX_RANKED}`
    : `SELECT ${columns}, 0 AS score FROM pieces p WHERE ${where}
       ORDER BY p.at DESC LIMIT ${MAX_RANKED}`;
  // a resumed session repeats the lines of the one it goes on with
  const sql = `SELECT fileId, start, block, uuid, kind, tool, at, MIN(score) AS best FROM (${from})
    GROUP BY COALESCE(uuid, id), block ORDER BY ROUND(best, 1), at DESC LIMIT ? OFFSET ?`;
  const matched = match ? [match] : [];
  return db.prepare(sql).all(...matched, ...params, limit + 1, offset) as Found[];
}

function conditions(query: ParsedQuery, scope: Set<string> | null, { match }: { match: string | null }) {
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
  if (!match) {
    // with nothing else to look for, calls of the tool, or what was asked
    const kind = query.kind.length > 0 ? query.kind : [query.tool.length > 0 ? 'tool_input' : 'prompt'];
    add(`p.kind IN (SELECT value FROM json_each(?))`, JSON.stringify(kind));
  }
  if (query.tool.length > 0) add(`lower(p.tool) IN (SELECT value FROM json_each(?))`, JSON.stringify(toolsOf(query)));
  if (query.after !== null) add('p.at >= ?', query.after);
  if (query.before !== null) add('p.at < ?', query.before);
  const without = match ? null : toWithoutMatch(query);
  if (without) add('p.id NOT IN (SELECT rowid FROM text WHERE text MATCH ?)', without);
  return { where: where.join(' AND '), params };
}

function toolsOf({ tool }: ParsedQuery): string[] {
  return tool.flatMap((names) => names.split(',')).map((name) => name.trim());
}

async function toHits(
  { db, projects }: ReaderContext,
  found: Found[],
  query: ParsedQuery,
  { live }: SearchArgs,
): Promise<SearchHit[]> {
  const sessionOf = db.prepare(
    `SELECT f.session_id AS sessionId, f.agent_id AS agentId, f.path AS path, s.title AS title, s.cwd AS cwd,
       s.branch AS branch, s.model AS model FROM files f LEFT JOIN sessions s ON s.id = f.session_id WHERE f.id = ?`,
  );
  const running = new Set(live);
  const hits: SearchHit[] = [];
  for (const { fileId, start, block, uuid, kind, tool, at } of found) {
    const of = sessionOf.get(fileId) as SessionOfFile | undefined;
    // the index went on meanwhile, and the file is gone from it
    if (!of) continue;
    const { sessionId, agentId, path, title, cwd, branch, model } = of;
    const text = readPiece(path, { start, block });
    hits.push({
      sessionId,
      agentId,
      messageId: uuid ?? `@${start}`,
      kind,
      toolName: tool,
      at,
      snippet:
        text === undefined
          ? [{ text: 'The transcript has changed since it was read.', match: false }]
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
