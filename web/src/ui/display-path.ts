const HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/;

/** A path as one would say it in the project: from its folder down, otherwise from home. */
export function displayPath(path: string, folder?: string | null): string {
  const inside = fromFolder(path, folder);
  return inside ?? path.replace(HOME, '~');
}

/** From the project's folder down; what is elsewhere stays whole, as one needs it to judge a call. */
export function pathInProject(path: string, folder?: string | null): string {
  return fromFolder(path, folder) ?? path;
}

function fromFolder(path: string, folder?: string | null): string | null {
  if (!folder || folder === '/') return null;
  if (path === folder) return '.';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}
