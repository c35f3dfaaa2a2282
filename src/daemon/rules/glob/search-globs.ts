import type { Glob } from './glob.ts';

/** Characters looked at for one pattern, all its alternatives and all the texts together. Well under 5 ms. */
const MAX_WORK = 400_000;

/** The first text that one of the globs matches; `gave up` where that would take too long to find out. */
export function search(globs: Glob[], texts: string[]): { text: string } | 'gave up' | undefined {
  let work = 0;
  for (const text of texts) {
    for (const glob of globs) {
      if (glob.cost > 0 && text.startsWith(glob.prefix)) work += text.length * glob.cost;
      if (work > MAX_WORK) return 'gave up';
      if (glob.matches(text)) return { text };
    }
  }
  return undefined;
}
