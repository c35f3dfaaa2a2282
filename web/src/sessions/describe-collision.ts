import { GitFork } from 'lucide-react';
import type { Collision } from '../../../src/contract/sessions.ts';
import { displayPath, pathInProject } from '../ui/display-path.ts';
import type { StateStyle } from './state-style.ts';

export const COLLISION_STYLE: StateStyle = { icon: GitFork, tone: 'orange', label: 'Same files' };

/** What both sessions write. */
export function describeCollision({ files, place }: Collision, folder: string | null): string {
  const [first, ...more] = files;
  if (first === undefined)
    return place === folder || place === null ? 'Also writing in this folder' : `Also writing in ${displayPath(place)}`;
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  return `Also writing ${pathInProject(first, folder)}${rest}`;
}
