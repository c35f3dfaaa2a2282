import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { foldersOf } from '../index/find-transcripts.ts';
import { NoAgentTranscript, NoTranscript } from './errors.ts';

/** Ids become file names: no dots, no slashes. */
const ID = /^[\w-]{1,200}$/;

export interface Sought {
  configDir: string;
  /** Transcripts of the built-in agent are here. */
  nativeDir?: string;
  sessionId: string;
  /** Where others say it is: the index, a hook. A hook may say anything. */
  claims: (string | null)[];
}

/** Where a session's transcript is: always below `<configDir>/projects`, links followed. */
export function findTranscript({ sessionId, claims, ...places }: Sought): string {
  const found = ID.test(sessionId) && firstOf(rootsOf(places), (root) => findBelow(root, sessionId, claims));
  if (!found) throw new NoTranscript(sessionId);
  return found;
}

function rootsOf(places: Pick<Sought, 'configDir' | 'nativeDir'>): string[] {
  return foldersOf(places).flatMap((folder) => realPath(join(folder, 'projects')) ?? []);
}

function firstOf<T>(places: string[], check: (place: string) => T | undefined): T | undefined {
  for (const place of places) {
    const found = check(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findBelow(root: string, sessionId: string, claims: Sought['claims']): string | undefined {
  const name = `${sessionId}.jsonl`;
  const claimed = claims
    .filter((path) => path !== null && basename(path) === name)
    .map((path) => fileBelow(root, path!))
    .find((path) => path !== undefined);
  return claimed ?? newest(projectsIn(root).map((folder) => fileBelow(root, join(root, folder, name))));
}

interface SoughtAgent extends Sought {
  agentId: string;
  /** Where the index has it. */
  indexed: string[];
}

/** The transcript of one of the session's subagents, at any depth. It may be all that is left of the session. */
export function findAgentTranscript({ agentId, indexed, ...sought }: SoughtAgent): string {
  const { sessionId } = sought;
  const roots = rootsOf(sought);
  if (roots.length === 0 || !ID.test(agentId)) throw new NoAgentTranscript(sessionId, agentId);
  const known = firstOf(roots, (root) =>
    indexed.map((path) => fileBelow(root, path)).find((path) => path !== undefined),
  );
  if (known) return known;
  const session = findTranscript(sought);
  const name = `agent-${agentId}.jsonl`;
  const folder = agentsFolder(session, sessionId);
  const found = firstOf(
    roots,
    (root) =>
      fileBelow(root, join(folder, name)) ??
      fileBelow(root, findInside(folder, name)) ??
      // older versions put it next to the session's
      fileBelow(root, join(dirname(session), name)),
  );
  if (!found) throw new NoAgentTranscript(sessionId, agentId);
  return found;
}

/** Where a session's subagents are, relative to one of its transcripts. */
export function agentsFolder(path: string, sessionId: string): string {
  const inside = `${sep}${sessionId}${sep}subagents`;
  const at = path.lastIndexOf(inside + sep);
  return at === -1 ? dirname(path) + inside : path.slice(0, at + inside.length);
}

function fileBelow(root: string, path: string | undefined): string | undefined {
  const real = path === undefined ? undefined : realPath(path);
  if (!real?.startsWith(root + sep) || !statSync(real, { throwIfNoEntry: false })?.isFile()) return undefined;
  return real;
}

function newest(paths: (string | undefined)[]): string | undefined {
  return paths
    .filter((path) => path !== undefined)
    .map((path) => ({ path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.changed - a.changed)[0]?.path;
}

function projectsIn(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name);
}

function findInside(folder: string, name: string): string | undefined {
  if (!realPath(folder)) return undefined;
  const entry = readdirSync(folder, { recursive: true, withFileTypes: true }).find((found) => found.name === name);
  return entry && join(entry.parentPath, name);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (
      ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(
        String((error as NodeJS.ErrnoException).code),
      )
    )
      return undefined;
    throw error;
  }
}
