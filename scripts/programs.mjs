import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs the tests drive, and their Debian packages. */
const NEEDED = {
  chromium: 'chromium',
  tmux: 'tmux',
  curl: 'curl',
  git: 'git',
  // completions are tested in the shells themselves
  zsh: 'zsh',
  fish: 'fish',
  // the native agent's sandbox, on Linux
  ...(process.platform === 'linux' ? { bwrap: 'bubblewrap', socat: 'socat' } : {}),
};

/** Used instead of Chromium where it exists, in Debian's packages: the engine alone takes a third of the processor time. */
const WANTED = isDebian() ? { 'chromium-headless-shell': 'chromium-headless-shell' } : {};

/** Installs missing programs if it can. Returns the ones that are still missing: those fail the run, they are never skipped. */
export function installPrograms() {
  const missing = missingOf(NEEDED);
  const wanted = missingOf(WANTED);
  if (missing.length + wanted.length === 0) return [];
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    apt(['update']);
    // apart: if this one can't be installed, the others still can
    aptInstall(missing.map((name) => NEEDED[name]));
    aptInstall(wanted.map((name) => WANTED[name]));
  }
  return missingOf(NEEDED);
}

function missingOf(programs) {
  return Object.keys(programs).filter((name) => !isOnPath(name));
}

function aptInstall(packages) {
  if (packages.length === 0) return;
  process.stderr.write(`Installing ${packages.join(', ')} with apt…\n`);
  apt(['install', '-y', '--no-install-recommends', ...packages]);
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['-q', ...args], { stdio: ['ignore', 2, 2], env });
}

function isDebian() {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}
