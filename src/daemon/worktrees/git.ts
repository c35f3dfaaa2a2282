import { spawn } from 'node:child_process';
import { DomainError } from '../errors.ts';
import { TrustedConfig } from './trusted-config.ts';

/** Checking out 100,000 files takes half a minute on an idle machine and several minutes on a busy one. */
const TIMEOUT_MS = 5 * 60_000;
const MAX_BYTES = 64 * 2 ** 20;

export interface GitOptions {
  cwd: string;
  env?: Record<string, string> | undefined;
  input?: string | undefined;
  timeoutMs?: number;
  /** Output past this size is dropped, and `isCut` is set. */
  maxBytes?: number;
  /** Exit codes besides 0 that count as an answer. */
  accept?: readonly number[];
  /** The output names the repository's own paths or settings. */
  isAboutRepository?: boolean;
}

export interface GitResult {
  code: number;
  bytes: Buffer;
  text: string;
  isCut: boolean;
}

/** Runs git with given arguments. */
export type Git = (args: readonly string[], options: GitOptions) => Promise<GitResult>;

export class GitFailed extends DomainError {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(args: readonly string[], { code, stderr, why }: { code: number | null; stderr: string; why?: string }) {
    const said = stderr.trim().split('\n').slice(-5).join('\n') || why || `exit code ${code}`;
    super('git.failed', 409, `git ${args[0]} failed: ${said}`);
    this.exitCode = code;
    this.stderr = stderr;
  }
}

/** The operator's configuration may also set these. None of them may run in the daemon. */
const NEVER = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.pager': 'cat',
  'core.editor': 'true',
  'core.askPass': 'true',
  'core.sshCommand': 'false',
  'credential.helper': '',
  'commit.gpgSign': 'false',
  'log.showSignature': 'false',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};
const OUTPUT = { 'core.quotePath': 'false', 'checkout.workers': '0' };

/** Arguments for every git call, including those without a repository. */
export const SAFE_ARGS: readonly string[] = Object.entries({ ...NEVER, ...OUTPUT }).flatMap(([key, value]) => [
  '-c',
  `${key}=${value}`,
]);

const FIXED = {
  GIT_TERMINAL_PROMPT: '0',
  // never contact a remote, not even for objects that a partial clone lacks
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
};

/** Git would enter submodules and use their configuration. A separate call reads those. */
export const SUBMODULES = '--ignore-submodules=dirty';

/** Identity for our own commits, which must not fail because git has no user name configured. */
export const OUR_IDENTITY = {
  GIT_AUTHOR_NAME: 'Ground Control',
  GIT_AUTHOR_EMAIL: 'groundcontrol@localhost',
  GIT_COMMITTER_NAME: 'Ground Control',
  GIT_COMMITTER_EMAIL: 'groundcontrol@localhost',
};

export interface GitPlaces {
  /** The base environment for git, without variables that redirect it. */
  env: NodeJS.ProcessEnv;
  /** Where the stand-ins for shared git folders are created. */
  folder: string;
}

/**
 * Runs plain `git` with the operator's configuration and never the repository's. An agent can write to the latter, and git would run the
 * filters, drivers and monitors it names inside the daemon, outside any sandbox and without an approval.
 */
export function createGit({ env: base, folder }: GitPlaces): Git {
  const kept = Object.entries(base).filter(([name, value]) => !name.startsWith('GIT_') && value !== undefined);
  const env = { PATH: process.env.PATH ?? '', ...Object.fromEntries(kept), ...FIXED };
  const trusted = new TrustedConfig({
    folder,
    listConfig: async (file) => {
      const listed = await run(['config', '--file', file, '--no-includes', '--null', '--list'], {
        cwd: '/',
        env: { ...env, GIT_DIR: '/dev/null' },
        accept: [1, 128],
      });
      return listed.text;
    },
  });
  return async (args, options) => {
    if (options.isAboutRepository && !isHarmless(args)) throw new Error(`git ${args.join(' ')} needs a trusted config`);
    const where = options.isAboutRepository ? {} : await trusted.envFor(options.cwd);
    return run(args, { ...options, env: { ...env, ...where, ...options.env } });
  };
}

/** Git runs no program for these commands, whatever the repository's configuration says. */
const isHarmless = ([command, first]: readonly string[]): boolean =>
  command === 'rev-parse' || command === 'config' || (command === 'worktree' && first === 'list');

function run(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { cwd, env, input, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, accept = [] } = options;
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...SAFE_ARGS, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    let size = 0;
    let isCut = false;
    let stderr = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      if (size >= maxBytes) {
        isCut = true;
        return;
      }
      isCut ||= size + chunk.length > maxBytes;
      out.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-20_000);
    });
    // git may exit before it has read its input
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const why = error.code === 'ENOENT' ? `git isn't installed, or ${cwd} doesn't exist` : error.message;
      reject(new GitFailed(args, { code: null, stderr: '', why }));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (isLate) {
        const why = `it took longer than ${Math.round(timeoutMs / 1000)} s and was killed`;
        return reject(new GitFailed(args, { code, stderr: '', why }));
      }
      if (code !== 0 && !accept.includes(code ?? -1)) return reject(new GitFailed(args, { code, stderr }));
      const bytes = Buffer.concat(out);
      return resolve({ code: code ?? 0, bytes, text: bytes.toString('utf8'), isCut });
    });
  });
}

/** Fields of `-z` output. */
export function splitZero(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}

/** A number in one-line output. */
export const toCount = ({ text }: GitResult): number => Number.parseInt(text.trim(), 10) || 0;
