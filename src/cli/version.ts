import { readFileSync } from 'node:fs';

/** Of the package that this was built into: `dist/` lies beside its package.json. */
export function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
