/** Whether a path is this folder or below it. Both are absolute, and the folder may end with a slash. */
export function isWithin(path: string | null | undefined, folder: string): boolean {
  if (path === null || path === undefined) return false;
  const root = folder.replace(/\/+$/, '');
  return path === root || path === folder || path.startsWith(`${root}/`);
}
