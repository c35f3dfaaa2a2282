import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { DomainError } from '../../../errors.ts';
import { findCheckout, findMainCheckout } from '../../../sessions/checkout.ts';

/**
 * The folder whose settings apply to the whole project. The client reads those of the repository's main checkout wherever in it, or in one
 * of its worktrees, a session starts; those of another folder only for sessions that start right there (measured on 2.1.325).
 */
export async function findStrictRoot(path: string): Promise<string> {
  if (!isAbsolute(path)) throw new DomainError('project.relative', 400, `${path} is not an absolute path.`, { path });
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new DomainError('project.no_folder', 404, `${path} is not a folder.`, { path });
  const real = await realpath(path);
  const place = await findCheckout(real);
  return place ? ((await findMainCheckout(place.checkout)) ?? place.checkout) : real;
}
