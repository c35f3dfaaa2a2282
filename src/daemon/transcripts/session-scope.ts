import { isProject } from './projects.ts';
import type { ReaderContext } from './queries.ts';
import type { ParsedQuery } from './search-query.ts';

/** Sessions that the filters on sessions leave over. Null: there is no such filter, all are in. */
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
    (db.prepare(sql).all(...params) as { id: string }[]).map(({ id }) => id);
  const containing = (column: string, wanted: string[]) =>
    ids(
      `SELECT DISTINCT session_id AS id FROM ${column.split('.')[0]} WHERE ${wanted
        .map(() => `instr(lower(${column}), ?) > 0`)
        .join(' OR ')}`,
      ...wanted,
    );

  if (query.isRunning) keep(running);
  if (query.project.length > 0) {
    const sessions = db.prepare('SELECT id, cwd FROM sessions').all() as { id: string; cwd: string | null }[];
    const found = await projects.ofAll(sessions.map(({ cwd }) => cwd));
    const isIn = (cwd: string | null) => query.project.some((wanted) => isProject(found.get(cwd)!, wanted));
    keep(sessions.filter(({ cwd }) => isIn(cwd)).map(({ id }) => id));
  }
  if (query.branch.length > 0) keep(containing('usage.branch', query.branch));
  if (query.model.length > 0) keep(containing('usage.model', query.model));
  if (query.file.length > 0) keep(containing('touched.path', query.file));
  return scope;
}

function intersect(a: Set<string>, b: Set<string>): Set<string> {
  return new Set([...a].filter((id) => b.has(id)));
}
