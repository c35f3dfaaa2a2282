import type { HistoryDetail, HistoryPage, HistoryQuery, HistorySession } from '../../../contract/history.ts';
import type { Inherited, ModelUsage } from '../../../contract/usage.ts';
import { DomainError } from '../../errors.ts';
import type { Facts } from '../lines/facts.ts';
import { findFiles } from '../search/candidates.ts';
import { prefixWords } from '../search/expand-prefix.ts';
import { foldText } from '../search/fold-text.ts';
import { type ParsedQuery, parseSearchQuery, toMatch } from '../search/search-query.ts';
import { sessionsInScope } from '../search/session-scope.ts';
import { termPattern } from '../search/term-pattern.ts';
import type { ReaderContext } from '../threads/queries.ts';
import {
  addTokens,
  COUNTED,
  costOfSums,
  NO_TOKENS,
  tokensOf,
  totalTokens,
  USAGE_SUMS,
  type UsageSums,
} from '../usage/usage-sums.ts';
import { allAtOnce } from './all-at-once.ts';
import { inheritedUsage } from './inherited-usage.ts';
import type { Project } from './projects.ts';
import { isConversation } from './session-rows.ts';
import { withoutCopies } from './without-copies.ts';

export interface HistoryArgs extends HistoryQuery {
  live: string[];
  now: number;
  timeZone: string;
}

/** Texts in which sessions are searched, besides those whose title or prompts match: the newest. */
const MAX_TEXT_MATCHES = 20_000;
const MAX_SPENDING_POINTS = 300;

interface SessionRow {
  id: string;
  path: string;
  bytes: number;
  title: string;
  cwd: string | null;
  branch: string | null;
  startedAt: number | null;
  lastAt: number;
  firstPrompt: string | null;
  lastPrompt: string | null;
  prompts: number;
  messages: number;
  toolCalls: number;
  linesAdded: number;
  linesRemoved: number;
  subAgents: number;
}

const COLUMNS = `id, path, bytes, title, cwd, branch, started_at AS startedAt, last_at AS lastAt, first_prompt AS firstPrompt,
  last_prompt AS lastPrompt, prompts, messages, tool_calls AS toolCalls, lines_added AS linesAdded,
  lines_removed AS linesRemoved, sub_agents AS subAgents`;

const COLUMN_NAMES = [
  'id',
  'path',
  'bytes',
  'title',
  'cwd',
  'branch',
  'startedAt',
  'lastAt',
  'firstPrompt',
  'lastPrompt',
  'prompts',
  'messages',
  'toolCalls',
  'linesAdded',
  'linesRemoved',
  'subAgents',
] as const;

type SessionSums = UsageSums & { sessionId: string };

/** The sessions on disk: one page of those matching the query. */
export async function history(context: ReaderContext, args: HistoryArgs): Promise<HistoryPage> {
  const { db } = context;
  const { shown, total, isCapped } = await pick(context, args);
  const ids = shown.map(({ id }) => id);
  const sums = sumsOf(context, ids);
  const inherited = inheritedUsage(db, context.prices, ids);
  const projects = await context.projects.ofAll(shown.map(({ cwd }) => cwd));
  const live = new Set(args.live);
  const end = args.offset + shown.length;
  return {
    sessions: shown.map((row) =>
      toSession(row, {
        sums: sums.get(row.id) ?? [],
        inherited: inherited.get(row.id) ?? null,
        project: projects.get(row.cwd)!,
        isLive: live.has(row.id),
      }),
    ),
    total,
    isTotalCapped: isCapped,
    nextOffset: end < total ? end : null,
  };
}

async function pick(
  context: ReaderContext,
  args: HistoryArgs,
): Promise<{ shown: SessionRow[]; total: number; isCapped: boolean }> {
  const { db } = context;
  const { q, sort, offset, limit } = args;
  const newestFirst = `SELECT ${COLUMNS} FROM sessions ORDER BY last_at DESC, id`;
  if (q.trim() === '' && sort === 'recent') {
    const { total } = db.prepare('SELECT COUNT(*) AS total FROM sessions').get() as { total: number };
    const shown = db.prepare(`${newestFirst} LIMIT ? OFFSET ?`).all(limit, offset) as SessionRow[];
    return { shown, total, isCapped: false };
  }
  const rows = allAtOnce<SessionRow>(db, { columns: COLUMN_NAMES, sql: newestFirst });
  const { kept, isCapped } = await filter(context, rows, args);
  const page = sort === 'recent' ? kept : sortByUsage(kept, sumsOf(context, null), sort);
  return { shown: page.slice(offset, offset + limit), total: kept.length, isCapped };
}

export async function historyDetail(
  context: ReaderContext,
  { id, live }: { id: string; live: string[] },
): Promise<HistoryDetail> {
  const { db, projects } = context;
  const row = db.prepare(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`).get(id) as SessionRow | undefined;
  if (!row) throw new UnknownHistory(id);
  const sums = sumsOf(context, [id]).get(id) ?? [];
  const rows = db
    .prepare('SELECT agent_id AS agentId, facts FROM files WHERE session_id = ? ORDER BY size DESC, path')
    .all(id) as {
    agentId: string | null;
    facts: string | null;
  }[];
  const files = withoutCopies(
    rows
      .map(({ agentId, facts }) => ({ agentId, facts: facts === null ? null : (JSON.parse(facts) as Facts) }))
      .filter(isConversation),
  );
  return {
    ...toSession(row, {
      sums,
      inherited: inheritedUsage(db, context.prices, [id]).get(id) ?? null,
      project: await projects.of(row.cwd),
      isLive: live.includes(id),
    }),
    usageByModel: toModelUsage(sums.filter(({ kind }) => kind === 0)),
    otherUsage: toModelUsage(sums.filter(({ kind }) => kind === 1)),
    subAgentList: toSubAgents(context, id, files),
    toolCounts: addCounts(files.map(({ facts }) => facts?.toolCounts ?? {})),
    files: db
      .prepare(
        `SELECT path, SUM(edits) AS edits, SUM(reads) AS reads, SUM(added) AS added, SUM(removed) AS removed FROM (
           SELECT t.path AS path, MAX(t.edits) AS edits, MAX(t.reads) AS reads, MAX(t.added) AS added, MAX(t.removed) AS removed
           FROM touched t JOIN files f ON f.id = t.file_id WHERE t.session_id = ? GROUP BY t.path, f.agent_id
         ) GROUP BY path ORDER BY edits DESC, reads DESC, path LIMIT 2000`,
      )
      .all(id) as HistoryDetail['files'],
    spending: spendingOf(context, id),
  };
}

async function filter(
  context: ReaderContext,
  rows: SessionRow[],
  args: HistoryArgs,
): Promise<{ kept: SessionRow[]; isCapped: boolean }> {
  const query = parseSearchQuery(args.q, args);
  const scope = await sessionsInScope(context, query, args.live);
  const byTool = query.tool.length > 0 ? sessionsWithTool(context, query) : null;
  const { ids: byText, isCapped } = sessionsWithText(context, query);
  const hasWords = wordsFinder(query);
  const kept = rows.filter((row) => {
    if (scope && !scope.has(row.id)) return false;
    if (byTool && !byTool.has(row.id)) return false;
    if (query.after !== null && row.lastAt < query.after) return false;
    if (query.before !== null && (row.startedAt ?? row.lastAt) >= query.before) return false;
    return byText.has(row.id) || hasWords(row);
  });
  return { kept, isCapped };
}

/** What the list shows of a session, plus its id, since people paste those. */
function wordsFinder({ terms, without }: ParsedQuery): (row: SessionRow) => boolean {
  if (terms.length === 0 && without.length === 0) return () => true;
  const wanted = terms.map(termPattern);
  const unwanted = without.map(termPattern);
  return ({ id, title, firstPrompt, lastPrompt, cwd, branch }) => {
    const text = foldText([id, title, firstPrompt, lastPrompt, cwd, branch].join('\n'));
    const has = (pattern: RegExp) => text.search(pattern) !== -1;
    return wanted.every(has) && !unwanted.some(has);
  };
}

function sessionsWithText({ db }: ReaderContext, query: ParsedQuery): { ids: Set<string>; isCapped: boolean } {
  // a prefix of very many words matches nearly everything: if there's nothing else to search for, some of the words have to do
  const isAlone = query.terms.length === 1;
  const words = prefixWords(db);
  const expand = (phrase: string) => (isAlone ? words.some(phrase) : words.all(phrase));
  const exact = toMatch(query, { goesOn: false, expand });
  if (exact === null) return { ids: new Set(), isCapped: false };
  const marks = query.kind.length > 0 ? [query.kind] : [];
  const loose = () => toMatch(query, { goesOn: true, expand });
  const wanted = { exact, sequence: null, loose, marks, where: '1', params: [], after: null, before: null };
  const { fileIds, isCapped } = findFiles(db, wanted, MAX_TEXT_MATCHES);
  const rows = db
    .prepare('SELECT DISTINCT session_id AS id FROM files WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify([...fileIds])) as { id: string }[];
  const isCut = isAlone && query.terms.some(({ match }) => words.all(match) === undefined);
  return { ids: new Set(rows.map(({ id }) => id)), isCapped: isCapped || isCut };
}

function sessionsWithTool({ db }: ReaderContext, { tool }: ParsedQuery): Set<string> {
  const names = tool.flatMap((list) => list.split(',')).map((name) => name.trim());
  const sql = `SELECT DISTINCT session_id AS id FROM origins WHERE id IN (
      SELECT origin FROM pieces WHERE kind = 'tool_input' AND lower(tool) IN (SELECT value FROM json_each(?))
    )`;
  return new Set((db.prepare(sql).all(JSON.stringify(names)) as { id: string }[]).map(({ id }) => id));
}

/** By session. null: all. */
function sumsOf({ db }: ReaderContext, ids: string[] | null): Map<string, SessionSums[]> {
  const where = ids ? 'AND session_id IN (SELECT value FROM json_each(?))' : '';
  const rows = db
    .prepare(
      `SELECT session_id AS sessionId, model, kind, ${USAGE_SUMS} FROM usage WHERE ${COUNTED} ${where}
       GROUP BY session_id, model, kind`,
    )
    .all(...(ids ? [JSON.stringify(ids)] : [])) as SessionSums[];
  const bySession = new Map<string, SessionSums[]>();
  for (const row of rows) {
    const known = bySession.get(row.sessionId);
    if (known) known.push(row);
    else bySession.set(row.sessionId, [row]);
  }
  return bySession;
}

function sortByUsage(rows: SessionRow[], sums: Map<string, SessionSums[]>, sort: HistoryArgs['sort']): SessionRow[] {
  const weigh = ({ id }: SessionRow) => {
    const of = sums.get(id) ?? [];
    return sort === 'cost' ? (costOfSums(of)?.totalUsd ?? 0) : totalTokens(addTokens(of.map(tokensOf)));
  };
  const weights = new Map(rows.map((row) => [row.id, weigh(row)]));
  return rows.toSorted((a, b) => weights.get(b.id)! - weights.get(a.id)!);
}

function toModelUsage(sums: UsageSums[]): ModelUsage[] {
  return sums
    .map((sum) => ({ model: sum.model, tokens: tokensOf(sum), cost: costOfSums([sum]) }))
    .sort((a, b) => (b.cost?.totalUsd ?? 0) - (a.cost?.totalUsd ?? 0));
}

function toSession(
  row: SessionRow,
  of: { sums: UsageSums[]; inherited: Inherited | null; project: Project; isLive: boolean },
): HistorySession {
  const { sums, inherited, project, isLive } = of;
  const { path, bytes, branch, lastAt, title, ...rest } = row;
  return {
    ...rest,
    title,
    projectPath: project.path,
    projectDisplayName: project.name,
    gitBranch: branch,
    models: [...new Set(sums.toSorted((a, b) => b.messages - a.messages).map(({ model }) => model))],
    lastActivityAt: lastAt,
    tokens: addTokens(sums.map(tokensOf)),
    cost: costOfSums(sums),
    inherited,
    isLive,
    transcriptPath: path,
    bytes,
  };
}

function toSubAgents(
  { db }: ReaderContext,
  sessionId: string,
  files: { agentId: string | null; facts: Facts | null }[],
): HistoryDetail['subAgentList'] {
  const rows = db
    .prepare(
      `SELECT agent_id AS agentId, model, kind, ${USAGE_SUMS} FROM usage
       WHERE ${COUNTED} AND session_id = ? AND agent_id IS NOT NULL GROUP BY agent_id, model, kind`,
    )
    .all(sessionId) as (UsageSums & { agentId: string })[];
  const starts = new Map(
    files.flatMap(({ agentId, facts }) =>
      (facts?.spawned ?? []).map((spawned) => [spawned.id, { ...spawned, parentId: agentId }] as const),
    ),
  );
  return files
    .flatMap(({ agentId, facts }) => {
      if (agentId === null) return [];
      const sums = rows.filter((row) => row.agentId === agentId);
      const started = starts.get(agentId);
      return [
        {
          id: agentId,
          parentId: started?.parentId ?? null,
          type: started?.type ?? 'agent',
          description: started?.description ?? null,
          model: facts?.model ?? null,
          startedAt: facts?.startedAt ?? started?.at ?? null,
          lastActivityAt: facts?.lastAt ?? null,
          tokens: sums.length > 0 ? addTokens(sums.map(tokensOf)) : { ...NO_TOKENS },
          cost: costOfSums(sums),
          toolCalls: Object.values(facts?.toolCounts ?? {}).reduce((sum, count) => sum + count, 0),
        },
      ];
    })
    .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
}

/** Enough points for a smooth curve, however many messages there are; the last is the total. */
function spendingOf({ db }: ReaderContext, sessionId: string): HistoryDetail['spending'] {
  const rows = db
    .prepare(
      `SELECT at, COALESCE(total_usd, 0) AS usd,
         input + output + cache_read + cache_write_5m + cache_write_1h AS tokens
       FROM usage WHERE ${COUNTED} AND session_id = ? ORDER BY at`,
    )
    .all(sessionId) as { at: number; usd: number; tokens: number }[];
  const step = Math.max(1, Math.ceil(rows.length / MAX_SPENDING_POINTS));
  let totalUsd = 0;
  let tokens = 0;
  const points: HistoryDetail['spending'] = [];
  for (const [index, row] of rows.entries()) {
    totalUsd += row.usd;
    tokens += row.tokens;
    if (index % step === step - 1 || index === rows.length - 1) points.push({ at: row.at, totalUsd, tokens });
  }
  return points;
}

function addCounts(all: Record<string, number>[]): Record<string, number> {
  const sum = new Map<string, number>();
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries([...sum].sort(([, a], [, b]) => b - a));
}

class UnknownHistory extends DomainError {
  constructor(id: string) {
    super(
      'history.unknown',
      404,
      `No transcript of session ${id} is indexed. GET /api/history lists the indexed sessions.`,
    );
  }
}
