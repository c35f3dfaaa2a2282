import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { install, root } from './prepare.mjs';

const STEPS = [
  ['format, lint, boundaries', ['biome', 'ci', '--error-on-warnings', '.']],
  ['types', ['tsc', '--noEmit']],
  ['unused code', ['knip']],
];

/** Everything that can be said of the code without running it. Returns the names of the steps that failed. */
export function check() {
  return STEPS.filter(([name, args]) => {
    process.stderr.write(`check: ${name}\n`);
    return spawnSync('npx', ['--no-install', ...args], { cwd: root, stdio: 'inherit' }).status !== 0;
  }).map(([name]) => name);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  install({ tests: true });
  const failed = check();
  if (failed.length > 0) process.stderr.write(`check failed: ${failed.join('; ')}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
