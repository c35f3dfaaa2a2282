import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findRepositories } from './nested-repositories.ts';

/** Below the working folder: files that other programs later run or read settings from, outside the sandbox. */
const OBEYED = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.gitconfig',
  '.gitmodules',
  '.ripgreprc',
  '.mcp.json',
  '.npmrc',
  '.envrc',
  '.claude',
  '.groundcontrol',
  '.vscode',
  '.idea',
  '.husky',
  '.github/workflows',
];

/** In the git folder: files that git executes. The rest must be writable, or `git add` fails. */
const OBEYED_BY_GIT = ['hooks', 'config', 'config.worktree', 'modules', 'info/attributes'];

/** Whether other programs run it or read settings from it, in any folder below the working folder. All of a git folder counts. */
export function isObeyed(path: string): boolean {
  // some filesystems ignore case
  const folders = `/${path.toLowerCase()}/`;
  return ['.git', ...OBEYED].some((name) => folders.includes(`/${name}/`));
}

export async function protectedPaths(root: string): Promise<string[]> {
  const repositories = [...(await findRepositories(root))];
  return [
    ...OBEYED.map((name) => join(root, name)),
    ...repositories.flatMap((git) => OBEYED_BY_GIT.map((name) => join(git, name))).filter((path) => existsSync(path)),
    // Also in a repository without hooks, since a command could create the folder. The other paths have no effect without the config.
    ...repositories.filter(isFolder).map((git) => join(git, 'hooks')),
  ];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** In the home folder: keys and tokens. */
const SECRETS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.config/gh',
  '.config/gcloud',
  '.config/op',
  '.local/share/keyrings',
  '.password-store',
  '.claude',
  '.claude.json',
  '.anthropic',
  '.codex',
  '.gemini',
  '.groundcontrol',
  '.bash_history',
  '.zsh_history',
];

export function secretPaths(home: string): string[] {
  return [
    ...SECRETS.map((name) => join(home, name)),
    '/etc/shadow',
    '/etc/gshadow',
    '/etc/sudoers',
    '/var/run/docker.sock',
  ].filter((path) => existsSync(path));
}
