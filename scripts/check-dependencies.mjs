import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

// The part of an audit that needs no network: every package is pinned by its checksum, comes from the registry, and runs no install script. `npm
// audit` asks the registry for known vulnerabilities, which some mirrors don't support: run it before a release.

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const problems = [];
for (const [path, { link, integrity, resolved, hasInstallScript, optional, cpu }] of Object.entries(packages)) {
  const isOurs = link || !path.includes('node_modules/');
  if (isOurs) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  // Builds for other systems, in one exact version: a mirror that doesn't serve them knows no checksum, and `npm ci` insists on the entry.
  const isForOtherSystems = optional && cpu !== undefined && integrity === undefined;
  if (!integrity?.startsWith('sha512-') && !isForOtherSystems)
    problems.push(`${name} has no sha512 in package-lock.json`);
  if (resolved && !resolved.startsWith('https://registry.npmjs.org/')) problems.push(`${name} comes from ${resolved}`);
  if (hasInstallScript) problems.push(`${name} runs a script when it is installed`);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
