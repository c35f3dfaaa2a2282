import { existsSync, statSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { SandboxManager as Manager, SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import { rgPath } from '@vscode/ripgrep';
import type { CallContext, ToolOutput } from '../tools/tool.ts';
import { type GitFolders, gitFoldersOf } from './git-folders.ts';
import { findRepositories, setAside } from './nested-repositories.ts';
import { protectedPaths, secretPaths } from './protected-paths.ts';

export interface SandboxOptions {
  /** Never readable from inside, on top of the usual secrets: our data dir. */
  unreadable?: string[];
  allowedHosts?: string[];
  /** Asks the operator about an unknown host. Default: refuse. */
  askForHost?: (host: string, port: number | undefined) => Promise<boolean>;
  limits?: Partial<Limits>;
}

/** Per process, set by prlimit. The sandbox itself doesn't limit resources. */
interface Limits {
  memoryBytes: number;
  fileBytes: number;
  /** Counts all processes of the user; not enforced for root. */
  processes: number;
  openFiles: number;
}

const LIMITS: Limits = { memoryBytes: 8 * 1024 ** 3, fileBytes: 2 * 1024 ** 3, processes: 8192, openFiles: 4096 };

export interface Prepared {
  /** Why the sandbox can't run anything, and how to fix it. */
  problem?: string;
  wrap(run: SandboxedRun): Promise<{ argv: [string, ...string[]]; env: NodeJS.ProcessEnv }>;
  /** Adds the sandbox's refusals to the result. */
  explain(output: ToolOutput, callId: string): Promise<ToolOutput>;
}

export interface SandboxedRun {
  executable: string;
  command: string;
}

export interface Sandbox {
  prepare(root: string, context: Pick<CallContext, 'callId'>): Promise<Prepared>;
  close(): Promise<void>;
}

/** The library keeps global state, so each agent process has one sandbox for one root folder. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  let manager: Promise<typeof Manager | string> | null = null;
  const reposBefore = new Map<string, Set<string>>();
  /** Looked up once, before any command can tamper with it. */
  let git: GitFolders | null = null;
  let temp: string | null = null;

  async function start(root: string, folders: GitFolders): Promise<typeof Manager | string> {
    const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
    if (!SandboxManager.isSupportedPlatform()) return 'Not run: there is no sandbox for this operating system.';
    const { errors } = SandboxManager.checkDependencies({ command: rgPath });
    if (errors.length > 0) return missing(errors);
    if (process.platform === 'linux' && !existsSync('/usr/bin/prlimit'))
      return missing(['prlimit (util-linux) not found']);
    const ask = options.askForHost;
    // programs expect one. Not the shared one: what others keep there is not for a sandboxed command to change
    temp ??= await realpath(await mkdtemp(join(tmpdir(), 'gc-sandbox-')));
    await SandboxManager.initialize(await configFor(root, folders, temp, options), async ({ host, port }) =>
      ask ? ask(host, port) : false,
    );
    return SandboxManager;
  }

  return {
    async prepare(root, { callId }) {
      git ??= gitFoldersOf(root);
      manager ??= start(root, git);
      const started = await manager;
      if (typeof started === 'string') {
        // may have been installed since: the next call checks again
        manager = null;
        return { problem: started, wrap: () => Promise.reject(new Error(started)), explain: async (output) => output };
      }
      reposBefore.set(callId, await findRepositories(root));
      // also protect paths that were created since the last command
      started.updateConfig(await configFor(root, git, temp, options));
      return {
        async wrap({ executable, command }) {
          // the library names a folder that need not exist
          const withTemp = temp === null ? command : `export TMPDIR=${quoted(temp)}\n${command}`;
          const { argv } = await started.wrapWithSandboxArgv(withTemp, executable, undefined, undefined, undefined, {
            commandId: callId,
          });
          return { argv: limited(argv, { ...LIMITS, ...options.limits }), env: withoutSecrets() };
        },
        async explain(output, id) {
          started.cleanupAfterCommand();
          const moved = await setAside(root, reposBefore.get(id) ?? new Set());
          reposBefore.delete(id);
          return withReasons(output, refusals(started, id), moved);
        },
      };
    },
    async close() {
      const started = await manager;
      if (started && typeof started !== 'string') await started.reset();
      if (temp !== null) await rm(temp, { recursive: true, force: true });
      temp = null;
      manager = null;
    },
  };
}

async function configFor(
  root: string,
  folders: GitFolders,
  temp: string | null,
  { unreadable = [], allowedHosts = [] }: SandboxOptions,
): Promise<SandboxRuntimeConfig> {
  const home = homedir();
  const git = join(root, '.git');
  const kind = statSync(git, { throwIfNoEntry: false });
  const [isFolder, isFile] = [kind?.isDirectory(), kind?.isFile()];
  return {
    network: { allowedDomains: allowedHosts, deniedDomains: [] },
    filesystem: {
      denyRead: [...secretPaths(home), ...unreadable],
      // a separate mount, so that it can't be renamed along with the hooks inside it
      allowWrite: [root, ...(isFolder ? [git] : []), ...folders.writable, ...(temp === null ? [] : [temp])],
      denyWrite: [...(await protectedPaths(root)), ...(isFile ? [git] : []), ...folders.readOnly],
    },
    ripgrep: { command: rgPath },
    // the library searches from this process's folder; we need the agent's, see above
    mandatoryDenySearchDepth: 1,
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function limited(argv: string[], { memoryBytes, fileBytes, processes, openFiles }: Limits): [string, ...string[]] {
  if (process.platform !== 'linux') return argv as [string, ...string[]];
  return [
    '/usr/bin/prlimit',
    `--data=${memoryBytes}`,
    `--fsize=${fileBytes}`,
    `--nproc=${processes}`,
    `--nofile=${openFiles}`,
    '--core=0',
    '--',
    ...argv,
  ];
}

/** Unsets variables that hold secrets. A command that can't read a key file must not find the key in its environment. */
function withoutSecrets(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => SECRET_NAMES.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

const SECRET_NAMES = /TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SSH_AUTH_SOCK|SSH_AGENT/i;

function missing(errors: string[]): string {
  const fix =
    process.platform === 'linux'
      ? 'Fix: sudo apt install bubblewrap socat (Debian, Ubuntu), sudo dnf install bubblewrap socat (Fedora).'
      : 'Fix: install the missing programs.';
  return `Not run: the sandbox is not available: ${errors.join('; ')}. ${fix} To run it without the sandbox, leave out "sandbox": the operator will be asked.`;
}

function refusals(manager: typeof Manager, callId: string): string[] {
  const events = manager.getSandboxViolationStore().getViolationsForCommand(callId);
  return [...new Set(events.map(({ line }) => line))].slice(0, 10);
}

/** Signs of a refusal in a command's output. Without network there is no DNS, so programs that ignore the proxy fail to resolve names. */
const SIGNS =
  /Read-only file system|Operation not permitted|Permission denied|EAI_AGAIN|Could not resolve|Temporary failure in name resolution|Network is unreachable|blocked-by-sandbox|EROFS|EPERM|EACCES/;

function withReasons(output: ToolOutput, refused: string[], moved: string[]): ToolOutput {
  const text = typeof output.content === 'string' ? output.content : '';
  const notes: string[] = [];
  if (refused.length > 0) notes.push(`The sandbox refused: ${refused.join('; ')}.`);
  if (output.isError && (refused.length > 0 || SIGNS.test(text)))
    notes.push(
      'This may be because of the sandbox. To run it outside, call Bash again without "sandbox": the operator will be asked.',
    );
  for (const path of moved)
    notes.push(
      `${path} was created by this command and set aside as ${basename(path)}-from-sandbox: hooks and settings in it would run outside the sandbox.`,
    );
  if (notes.length === 0) return output;
  return { ...output, content: [text, ...notes].join('\n'), ...(moved.length > 0 ? { isError: true } : {}) };
}
