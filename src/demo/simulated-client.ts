import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export const CLIENT_VERSION = '2.1.325';

/**
 * A shell that starts a tool for each line it reads, and reports when one starts and ends. It ends when we do, even if we are killed: its input
 * closes, and it kills its process group. Tools are its children and are marked, because a stop spares processes that the daemon itself started.
 */
const SHELL = `while read -r _; do
  (CLAUDE_CODE_SESSION_ID="$1" AI_AGENT="$2" sleep 1000000 & p=$!; echo "started $p"; wait "$p"; echo "ended $p") &
done
kill 0`;

function startShell(sessionId: string): ChildProcessByStdio<Writable, Readable, null> {
  const child = spawn('sh', ['-c', SHELL, 'demo-agent', sessionId, `claude-code_${CLIENT_VERSION}_agent`], {
    // a Ctrl-C at our terminal is for us alone
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '' },
  });
  child.stdin.on('error', () => undefined);
  return child;
}

export type ClientStatus = 'idle' | 'busy' | 'waiting';

/** Stands in for an agent's terminal: a process that can be ended, and the client's status file. */
export class SimulatedClient {
  readonly #process: ReturnType<typeof startShell>;
  readonly #file: string;
  readonly #facts: Record<string, unknown>;
  readonly #now: () => number;
  readonly #tools: Tool[] = [];
  #isGone = false;

  constructor({ configDir, sessionId, cwd, name, now, onKilled }: SimulatedClientOptions) {
    this.#process = startShell(sessionId);
    createInterface(this.#process.stdout).on('line', (line) => this.#hear(line));
    this.#now = now;
    const { pid } = this.#process;
    const folder = join(configDir, 'sessions');
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${pid}.json`);
    this.#facts = {
      pid,
      sessionId,
      cwd,
      startedAt: now(),
      ...procStart(pid),
      version: CLIENT_VERSION,
      kind: 'interactive',
      entrypoint: 'cli',
      name,
    };
    this.#process.once('exit', () => {
      if (this.#isGone) return;
      this.leave();
      onKilled();
    });
  }

  say(status: ClientStatus, waitingFor?: string): void {
    if (this.#isGone) return;
    const at = this.#now();
    const text = JSON.stringify({ ...this.#facts, status, waitingFor, updatedAt: at, statusUpdatedAt: at });
    writeFileSync(`${this.#file}.new`, text);
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** A tool with its own process, so a stop can end it. `killed` resolves if someone does. */
  startTool(): { killed: Promise<void>; end(): void } {
    const tool: Tool = { pid: undefined, isOver: false, onKilled: () => undefined };
    const killed = new Promise<void>((resolve) => {
      tool.onKilled = resolve;
    });
    this.#tools.push(tool);
    if (!this.#isGone) this.#process.stdin.write('\n');
    const end = () => {
      tool.isOver = true;
      if (tool.pid !== undefined) endProcess(tool.pid);
    };
    return { killed, end };
  }

  leave(): void {
    this.#isGone = true;
    rmSync(this.#file, { force: true });
    if (this.#process.pid !== undefined) endProcess(-this.#process.pid);
  }

  #hear(line: string): void {
    const [what, number] = line.split(' ');
    const pid = Number(number);
    if (what === 'started') {
      const tool = this.#tools.find((one) => one.pid === undefined);
      if (!tool) return;
      tool.pid = pid;
      if (tool.isOver) endProcess(pid);
      return;
    }
    const tool = this.#tools.find((one) => one.pid === pid);
    if (!tool) return;
    this.#tools.splice(this.#tools.indexOf(tool), 1);
    if (!tool.isOver) tool.onKilled();
  }
}

interface Tool {
  /** undefined: the shell hasn't said yet. */
  pid: number | undefined;
  isOver: boolean;
  onKilled: () => void;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

interface SimulatedClientOptions {
  configDir: string;
  sessionId: string;
  cwd: string;
  name: string;
  now: () => number;
  onKilled: () => void;
}

/** The kernel's value; macOS doesn't report it. */
function procStart(pid: number | undefined): { procStart?: string } {
  if (process.platform !== 'linux') return {};
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return start ? { procStart: start } : {};
}
