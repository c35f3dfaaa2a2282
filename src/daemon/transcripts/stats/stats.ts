import type { Activity, Stats, StatsBy, StatsQuery, StatsRow } from '../../../contract/stats.ts';
import { DomainError } from '../../errors.ts';
import { allAtOnce } from '../index/all-at-once.ts';
import { isProject, type Project } from '../index/projects.ts';
import { normalizeModel } from '../prices/model-name.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { COUNTED, costOfSums, SUM_NAMES, USAGE_SUMS, type UsageSums } from '../usage/usage-sums.ts';
import { approvalWaits } from './approval-waits.ts';
import {
  dayAfter,
  type LocalTime,
  localTime,
  parseDay,
  rememberLocalTimes,
  requireTimeZone,
  startOfDay,
  weekOf,
} from './local-time.ts';
import { StatsBucket } from './stats-bucket.ts';

/** The smallest step between time zones: any day in any zone consists of whole ones. */
export const SLOT_MS = 900_000;

/** Of several copies of a piece, the counted one has the lowest. */
const FIRST = 'MIN(o.is_forked * 1e15 + o.born_ms)';

export interface Range {
  from: number | null;
  to: number | null;
}

interface SessionInfo {
  project: Project;
  branch: string | null;
  model: string | null;
}

/** Where something belongs; null if unknown. */
interface Place {
  at: number;
  sessionId: string;
  model: string | null;
  branch: string | null;
  tool: string | null;
}

/** Prompts or calls; a quarter of an hour may have several of the same. */
interface PieceCount {
  slot: number;
  sessionId: string;
  model: string | null;
  branch: string | null;
  count: number;
}

export type UsageRow = UsageSums & { slot: number; sessionId: string; branch: string | null };

export async function stats(context: ReaderContext, query: StatsQuery): Promise<Omit<Stats, 'complete'>> {
  const timeZone = requireTimeZone(query.timeZone);
  const range = rangeOf(query, timeZone);
  const sessions = await sessionInfos(context);
  const scope = scopeOf(sessions, query);
  const usage = readOnce(context, 'usageRows', range, usageRows).filter(
    ({ sessionId, model }) => scope.session(sessionId) && scope.model(model),
  );

  const localTimes = rememberLocalTimes(timeZone);
  const total = new StatsBucket();
  const buckets = new Map<string, StatsBucket>();
  const bucketsOf = (place: Place) => {
    const key = keyOf(query.by, place, sessions, localTimes);
    if (key === null) return [total];
    let bucket = buckets.get(key);
    if (!bucket) {
      bucket = new StatsBucket();
      buckets.set(key, bucket);
    }
    return [total, bucket];
  };
  for (const row of usage) {
    const place = {
      at: row.slot * SLOT_MS,
      sessionId: row.sessionId,
      model: row.model,
      branch: row.branch,
      tool: null,
    };
    for (const bucket of bucketsOf(place)) bucket.addUsage(row);
  }
  const add = (place: Place, into: (bucket: StatsBucket) => void) => {
    if (scope.session(place.sessionId) && scope.model(place.model)) for (const bucket of bucketsOf(place)) into(bucket);
  };
  for (const { slot, count, ...of } of readOnce(context, 'promptRows', range, promptRows))
    add({ ...of, at: slot * SLOT_MS, tool: null }, (bucket) => bucket.addPrompts(of.sessionId, count));
  for (const { slot, count, ...of } of readOnce(context, 'toolRows', range, toolRows))
    add({ ...of, at: slot * SLOT_MS }, (bucket) => bucket.addCalls(of.sessionId, count));
  for (const { sessionId, at, tool, waitedMs } of approvalWaits(context.paths.journalPath, range)) {
    // the journal doesn't know them, so use the session's latest
    const { model = null, branch = null } = sessions.get(sessionId) ?? {};
    add({ at, sessionId, model, branch, tool }, (bucket) => bucket.addApproval(waitedMs));
  }

  const rows = [...buckets].map(([key, bucket]) => bucket.toRow(key, labelOf(query.by, key, sessions)));
  return {
    by: query.by,
    timeZone,
    rows: isTime(query.by) ? rows.sort((a, b) => (a.key < b.key ? -1 : 1)) : rows.sort(byWeight),
    total: total.toRow('total', 'Total'),
  };
}

export async function activity(context: ReaderContext, query: Omit<StatsQuery, 'by'>): Promise<Activity> {
  const timeZone = requireTimeZone(query.timeZone);
  const scope = scopeOf(await sessionInfos(context), query);
  const hours = new Map<string, Activity['hours'][number]>();
  for (const row of readOnce(context, 'usageRows', rangeOf(query, timeZone), usageRows)) {
    if (!scope.session(row.sessionId) || !scope.model(row.model)) continue;
    const { day, hour } = localTime(row.slot * SLOT_MS, timeZone);
    const key = `${day} ${String(hour).padStart(2, '0')}`;
    const known = hours.get(key) ?? { day, hour, messages: 0, tokens: 0 };
    known.messages += row.messages;
    known.tokens += row.input + row.output + row.cacheRead + row.write5m + row.write1h;
    hours.set(key, known);
  }
  return { timeZone, hours: [...hours].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, hour]) => hour) };
}

/** Usage since midnight. */
export function today(
  { db }: ReaderContext,
  { now, timeZone }: { now: number; timeZone?: string },
): { costUsd: number | null; tokens: number } {
  const zone = requireTimeZone(timeZone);
  const from = startOfDay(localTime(now, zone).day, zone);
  const sums = db
    .prepare(`SELECT model, kind, ${USAGE_SUMS} FROM usage WHERE ${COUNTED} AND at >= ? GROUP BY model, kind`)
    .all(from) as UsageSums[];
  const tokens = sums.reduce((sum, row) => sum + row.input + row.output + row.cacheRead + row.write5m + row.write1h, 0);
  return { costUsd: costOfSums(sums)?.totalUsd ?? null, tokens };
}

function readOnce<T>(
  context: ReaderContext,
  name: string,
  range: Range,
  read: (context: ReaderContext, range: Range) => T,
): T {
  return context.recent.get(`${name} ${range.from} ${range.to}`, () => read(context, range));
}

export function usageRows({ db }: Pick<ReaderContext, 'db'>, { from, to }: Range): UsageRow[] {
  return allAtOnce(db, {
    columns: ['slot', 'sessionId', 'model', 'branch', 'kind', ...SUM_NAMES],
    sql: `SELECT at / ${SLOT_MS} AS slot, session_id AS sessionId, model, branch, kind, ${USAGE_SUMS}
       FROM usage WHERE ${COUNTED} AND at >= ? AND at < ? GROUP BY slot, session_id, model, branch, kind`,
    params: [from ?? 0, to ?? Number.MAX_SAFE_INTEGER],
  });
}

/** Each once, wherever its line was copied. A subagent's prompt is written by an agent, not by a person. */
function promptRows({ db }: ReaderContext, { from, to }: Range) {
  return allAtOnce<PieceCount>(db, {
    columns: ['slot', 'sessionId', 'model', 'branch', 'count'],
    sql: `SELECT slot, session_id AS sessionId, model, branch, count FROM (
         SELECT at / ${SLOT_MS} AS slot, origin, COUNT(*) AS count FROM (
           SELECT ${FIRST}, at, origin FROM pieces JOIN origins o ON o.id = origin
           WHERE kind = 'prompt' AND at >= ? AND at < ? GROUP BY COALESCE(uuid, pieces.id)
         ) GROUP BY slot, origin
       ) JOIN origins ON id = origin WHERE agent_id IS NULL`,
    params: [from ?? 0, to ?? Number.MAX_SAFE_INTEGER],
  });
}

function toolRows({ db }: ReaderContext, { from, to }: Range) {
  return allAtOnce<PieceCount & { tool: string }>(db, {
    columns: ['slot', 'sessionId', 'model', 'branch', 'tool', 'count'],
    sql: `SELECT slot, session_id AS sessionId, model, branch, tool, count FROM (
         SELECT at / ${SLOT_MS} AS slot, origin, tool, COUNT(*) AS count FROM (
           SELECT ${FIRST}, at, tool, origin FROM pieces JOIN origins o ON o.id = origin
           WHERE kind = 'tool_input' AND at >= ? AND at < ? GROUP BY COALESCE(uuid, pieces.id), block
         ) GROUP BY slot, origin, tool
       ) JOIN origins ON id = origin`,
    params: [from ?? 0, to ?? Number.MAX_SAFE_INTEGER],
  });
}

/** A page requests several statistics at once, and each needs all sessions. */
function sessionInfos(context: ReaderContext): Promise<Map<string, SessionInfo>> {
  return context.recent.get('sessionInfos', () => readSessionInfos(context));
}

async function readSessionInfos({ db, projects }: ReaderContext): Promise<Map<string, SessionInfo>> {
  const rows = allAtOnce<{ id: string; cwd: string | null; branch: string | null; model: string | null }>(db, {
    columns: ['id', 'cwd', 'branch', 'model'],
    sql: 'SELECT id, cwd, branch, model FROM sessions',
  });
  const found = await projects.ofAll(rows.map(({ cwd }) => cwd));
  return new Map(rows.map(({ id, cwd, branch, model }) => [id, { project: found.get(cwd)!, branch, model }]));
}

function scopeOf(sessions: Map<string, SessionInfo>, { project, model }: Pick<StatsQuery, 'project' | 'model'>) {
  const wantedProject = project?.trim().toLowerCase();
  const wantedModel = model?.trim().toLowerCase();
  return {
    session(id: string): boolean {
      if (!wantedProject) return true;
      const info = sessions.get(id);
      return info !== undefined && isProject(info.project, wantedProject);
    },
    model(name: string | null): boolean {
      if (!wantedModel) return true;
      if (name === null) return false;
      return name.toLowerCase().includes(wantedModel) || normalizeModel(name) === normalizeModel(wantedModel);
    },
  };
}

export function rangeOf({ after, before }: Pick<StatsQuery, 'after' | 'before'>, timeZone: string): Range {
  for (const day of [after, before])
    if (day !== undefined && parseDay(day) === undefined)
      throw new DomainError(
        'stats.bad_day',
        400,
        `${day} isn't a valid day. Use one from 1970 to 2999, written as 2026-11-16.`,
      );
  if (after && before && after > before)
    throw new DomainError('stats.empty_range', 400, `No day is after ${after} and before ${before}. Swap them.`);
  return {
    from: after ? startOfDay(after, timeZone) : null,
    to: before ? startOfDay(dayAfter(before), timeZone) : null,
  };
}

const UNKNOWN = '(unknown)';

/** null: counts only in the total. */
function keyOf(
  by: StatsBy,
  place: Place,
  sessions: Map<string, SessionInfo>,
  localTimeOf: (at: number) => LocalTime,
): string | null {
  switch (by) {
    case 'day':
      return localTimeOf(place.at).day;
    case 'week':
      return weekOf(localTimeOf(place.at).day);
    case 'month':
      return localTimeOf(place.at).day.slice(0, 7);
    case 'project':
      return sessions.get(place.sessionId)?.project.path ?? UNKNOWN;
    case 'model':
      return place.model ?? UNKNOWN;
    case 'branch':
      return place.branch || UNKNOWN;
    case 'tool':
      return place.tool;
  }
}

function labelOf(by: StatsBy, key: string, sessions: Map<string, SessionInfo>): string {
  if (by !== 'project') return key;
  for (const { project } of sessions.values()) if (project.path === key) return project.name;
  return 'Unknown project';
}

function isTime(by: StatsBy): boolean {
  return by === 'day' || by === 'week' || by === 'month';
}

function byWeight(a: StatsRow, b: StatsRow): number {
  const cost = (b.cost?.totalUsd ?? 0) - (a.cost?.totalUsd ?? 0);
  return cost || b.tokens.outputTokens - a.tokens.outputTokens || b.toolCalls - a.toolCalls || (a.key < b.key ? -1 : 1);
}
