import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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

/** Installs missing programs if it can. Returns the ones that are still missing: those fail the run, they are never skipped. */
export function installPrograms() {
  const missing = Object.keys(NEEDED).filter((name) => !isOnPath(name));
  if (missing.length === 0) return [];
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    const packages = missing.map((name) => NEEDED[name]);
    process.stderr.write(`Installing ${packages.join(', ')} with apt…\n`);
    apt(['update']);
    apt(['install', '-y', '--no-install-recommends', ...packages]);
  }
  return missing.filter((name) => !isOnPath(name));
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['-q', ...args], { stdio: ['ignore', 2, 2], env });
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}
