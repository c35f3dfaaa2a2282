import { allAtOnce } from '../index/all-at-once.ts';
import { isProject } from '../index/projects.ts';
import type { ReaderContext } from '../threads/queries.ts';
import type { ParsedQuery } from './search-query.ts';

/** Where session data is. */
interface Told {
  table: string;
  column: string;
  /** The column with the session's id. */
  id?: string;
}

/** Sessions that pass the session filters. null: no such filter, all pass. */
export async function sessionsInScope(
  { db, projects }: ReaderContext,
  query: Pick<ParsedQuery, 'project' | 'branch' | 'model' | 'file' | 'isRunning'>,
  running: readonly string[],
): Promise<Set<string> | null> {
  let scope: Set<string> | null = null;
  const keep = (ids: Iterable<string>) => {
    const found = new Set(ids);
    scope = scope === null ? found : intersect(found, scope);
  };
  const ids = (sql: string, ...params: unknown[]) =>
    allAtOnce<{ id: string }>(db, { columns: ['id'], sql, params }).map(({ id }) => id);
  const containing = ({ table, column, id = 'session_id' }: Told, wanted: string[]) =>
    ids(
      `SELECT DISTINCT ${id} AS id FROM ${table} WHERE ${wanted.map(() => `instr(lower(${column}), ?) > 0`).join(' OR ')}`,
      ...wanted,
    );
  /** Usage is counted before texts are read, but doesn't cover sessions without a response, or with only copies. */
  const havingBeenOn = (column: 'branch' | 'model', wanted: string[]) =>
    [
      { table: 'usage', column },
      { table: 'origins', column },
      { table: 'sessions', column, id: 'id' },
    ].flatMap((told) => containing(told, wanted));

  if (query.isRunning) keep(running);
  if (query.project.length > 0) {
    const sessions = allAtOnce<{ id: string; cwd: string | null }>(db, {
      columns: ['id', 'cwd'],
      sql: 'SELECT id, cwd FROM sessions',
    });
    const found = await projects.ofAll(sessions.map(({ cwd }) => cwd));
    const isIn = (cwd: string | null) => query.project.some((wanted) => isProject(found.get(cwd)!, wanted));
    keep(sessions.filter(({ cwd }) => isIn(cwd)).map(({ id }) => id));
  }
  if (query.branch.length > 0) keep(havingBeenOn('branch', query.branch));
  if (query.model.length > 0) keep(havingBeenOn('model', query.model));
  if (query.file.length > 0) keep(containing({ table: 'touched', column: 'path' }, query.file));
  return scope;
}

function intersect(a: Set<string>, b: Set<string>): Set<string> {
  return new Set([...a].filter((id) => b.has(id)));
}
