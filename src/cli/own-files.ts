import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This runs as `dist/gctl.js`, next to the built web app, in the package's folder. */
const dist = fileURLToPath(new URL('.', import.meta.url));

export function ownVersion(): string {
  return JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')).version;
}

/** How to run ourselves again: the built program, since a wrapper might install or build first. */
export const ownProgram: readonly [string, ...string[]] = [process.execPath, join(dist, 'gctl.js')];

export function builtWebApp(): string | undefined {
  const dir = join(dist, 'web');
  return existsSync(join(dir, 'index.html')) ? dir : undefined;
}

/** What the daemon's threads run. */
export const builtWorker = join(dist, 'transcripts-worker.cjs');
