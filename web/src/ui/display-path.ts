const HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/;

/** A readable path: relative to the project's folder, or else with ~ for the home folder. */
export function displayPath(path: string, folder?: string | null): string {
  const inside = fromFolder(path, folder);
  return inside ?? path.replace(HOME, '~');
}

/** Relative to the project's folder. Paths elsewhere stay absolute, which matters for judging a call. */
export function pathInProject(path: string, folder?: string | null): string {
  return fromFolder(path, folder) ?? path;
}

function fromFolder(path: string, folder?: string | null): string | null {
  if (!folder || folder === '/') return null;
  if (path === folder) return '.';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}
