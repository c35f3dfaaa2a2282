import type { StatsRow } from '../../../contract/stats.ts';
import type { Sqlite } from '../../journal/sqlite.ts';
import { isProject, type Project, Projects } from '../index/projects.ts';
import {
  firstDayOfWeek,
  type LocalTime,
  rememberLocalTimes,
  requireTimeZone,
  type Weekday,
  weekOf,
} from '../stats/local-time.ts';
import { rangeOf, SLOT_MS, type UsageRow, usageRows } from '../stats/stats.ts';
import { StatsBucket } from '../stats/stats-bucket.ts';
import { lastFolderIn } from './last-folder.ts';

type UsageBy = 'day' | 'week' | 'month' | 'session' | 'project' | 'model';

export interface UsageQuery {
  by: UsageBy;
  timeZone?: string | undefined;
  /** Weeks that start on Monday have ISO 8601 names, others their first day. */
  weekStart: Weekday;
  /** The first and last day. */
  since?: string | undefined;
  until?: string | undefined;
  project?: string | undefined;
}

type Sums = Pick<StatsRow, 'sessions' | 'messages' | 'tokens' | 'cost' | 'other'>;

interface UsageReportRow extends Sums {
  key: string;
  label: string;
  models: ({ model: string } & Sums)[];
}

export interface UsageReport {
  by: UsageBy;
  timeZone: string;
  rows: UsageReportRow[];
  total: UsageReportRow;
}

class Bucket {
  readonly all = new StatsBucket();
  readonly models = new Map<string, StatsBucket>();

  add(row: UsageRow): void {
    this.all.addUsage(row);
    const model = this.models.get(row.model) ?? new StatsBucket();
    this.models.set(row.model, model);
    model.addUsage(row);
  }

  toRow(key: string, label: string): UsageReportRow {
    const models = [...this.models].map(([model, bucket]) => ({ model, ...sumsOf(bucket) }));
    return { key, label, ...sumsOf(this.all), models: models.sort(byCost) };
  }
}

/** Usage by time, session, project or model, and within each by model. */
export async function usageReport(db: Sqlite, query: UsageQuery): Promise<UsageReport> {
  const timeZone = requireTimeZone(query.timeZone);
  const range = rangeOf({ after: query.since, before: query.until }, timeZone);
  const needsProjects = query.by === 'project' || query.project !== undefined;
  const projects = needsProjects ? await projectsOf(db) : new Map<string, Project>();
  const wanted = query.project?.trim().toLowerCase();
  const localTimes = rememberLocalTimes(timeZone);
  const total = new Bucket();
  const buckets = new Map<string, Bucket>();
  for (const row of usageRows({ db }, range)) {
    const project = projects.get(row.sessionId);
    if (wanted !== undefined && !(project && isProject(project, wanted))) continue;
    const key = keyOf(row, query, localTimes, project);
    const bucket = buckets.get(key) ?? new Bucket();
    buckets.set(key, bucket);
    bucket.add(row);
    total.add(row);
  }
  const names = new Map([...projects.values()].map(({ path, name }) => [path, name]));
  const rows = [...buckets].map(([key, bucket]) => bucket.toRow(key, names.get(key) ?? key));
  const isTime = query.by === 'day' || query.by === 'week' || query.by === 'month';
  return {
    by: query.by,
    timeZone,
    rows: isTime ? rows.sort((a, b) => (a.key < b.key ? -1 : 1)) : rows.sort(byCost),
    total: total.toRow('total', 'Total'),
  };
}

function keyOf(
  row: UsageRow,
  { by, weekStart }: UsageQuery,
  localTimeOf: (at: number) => LocalTime,
  project: Project | undefined,
): string {
  if (by === 'session') return row.sessionId;
  if (by === 'model') return row.model;
  if (by === 'project') return project?.path ?? '(unknown)';
  const { day } = localTimeOf(row.slot * SLOT_MS);
  if (by === 'day') return day;
  if (by === 'month') return day.slice(0, 7);
  return weekStart === 'monday' ? weekOf(day) : firstDayOfWeek(day, weekStart);
}

/** By session: the project of the last folder its transcript names, as in the daemon. */
async function projectsOf(db: Sqlite): Promise<Map<string, Project>> {
  const files = db
    .prepare('SELECT session_id AS id, path FROM files ORDER BY session_id, agent_id IS NOT NULL, size DESC, path')
    .all() as { id: string; path: string }[];
  const projects = new Projects();
  const found = new Map<string, Project>();
  for (const { id, path } of files) if (!found.has(id)) found.set(id, await projects.of(lastFolderIn(path)));
  return found;
}

function sumsOf(bucket: StatsBucket): Sums {
  const { sessions, messages, tokens, cost, other } = bucket.toRow('', '');
  return { sessions, messages, tokens, cost, other };
}

function byCost(a: Sums, b: Sums): number {
  return (b.cost?.totalUsd ?? 0) - (a.cost?.totalUsd ?? 0) || b.tokens.outputTokens - a.tokens.outputTokens;
}
