import { ARCHIVES } from './archives.ts';
import { BUILD } from './build.ts';
import { CHECKERS } from './checkers.ts';
import { CLOUD } from './cloud.ts';
import { CONTAINERS } from './containers.ts';
import { FILES } from './files.ts';
import { GIT } from './git.ts';
import { JS_TOOLS } from './js-tools.ts';
import { LANGUAGES } from './languages.ts';
import { LAUNCHERS } from './launchers.ts';
import { NODE } from './node.ts';
import type { Program } from './program.ts';
import { PYTHON_TOOLS } from './python.ts';
import { SEARCHING } from './searching.ts';
import { SYSTEM } from './system.ts';
import { TEXT } from './text.ts';

const PROGRAMS = new Map(
  Object.entries({
    ...CHECKERS,
    ...FILES,
    ...SEARCHING,
    ...TEXT,
    ...ARCHIVES,
    ...GIT,
    ...JS_TOOLS,
    ...NODE,
    ...PYTHON_TOOLS,
    ...BUILD,
    ...CONTAINERS,
    ...CLOUD,
    ...SYSTEM,
    ...LANGUAGES,
    ...LAUNCHERS,
  }),
);

/** By its name, under any path; `python3.12` is `python3`, `vitest@2` (for npx) is `vitest`. */
export function programNamed(name: string): Program | undefined {
  const base = baseName(name);
  return PROGRAMS.get(base) ?? PROGRAMS.get(base.replace(/(?<=\w)@[\w.^~-]+$|(?<=\d)(\.\d+)+$/, ''));
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
