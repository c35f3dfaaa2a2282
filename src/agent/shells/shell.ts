import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutputFile } from './output-file.ts';
import { drawTree, endProcesses, type ProcessInfo, processesOf, SHELL_MARK } from './processes.ts';
import { type OutputRead, type OutputStream, RingBuffer } from './ring-buffer.ts';

export interface ShellLimits {
  /** Characters kept in memory, per shell. */
  memory: number;
  /** Bytes kept on disk, per shell. */
  disk: number;
  /** Output longer than this is also written to a file. */
  inline: number;
  graceMs: number;
  killMs: number;
}

export interface ShellSpec {
  id: string;
  command: string;
  callId: string | null;
  argv: [string, ...string[]];
  cwd: string;
  env: NodeJS.ProcessEnv;
  outputPath: string;
  limits: ShellLimits;
  now: () => number;
}

type Listener = (stream: OutputStream, text: string) => void;

/** How long to keep reading output after the command itself ends. */
const DRAIN_MS = 2000;
/** A leftover process that writes nothing for this long is a daemon, not the end of the output. */
const QUIET_MS = 150;

/** One command, its output, and every process it started. */
export class Shell {
  readonly id: string;
  readonly command: string;
  readonly createdAt: number;
  /** The call that started it. */
  readonly callId: string | null;
  /** Runs in the background: its call already has a result. */
  isBackground = false;
  /** Resolves when the command has ended and its output is read. Leftover processes may still run. */
  readonly ended: Promise<void>;
  state: 'running' | 'exited' | 'killed' = 'running';
  exitCode: number | null = null;
  signal: NodeJS.Signals | null = null;
  endedAt: number | null = null;
  readonly #spec: ShellSpec;
  readonly #child: ChildProcess;
  readonly #buffer: RingBuffer;
  readonly #file: OutputFile;
  readonly #listeners = new Set<Listener>();
  #isKilled = false;
  #lastOutputAt = 0;

  constructor(spec: ShellSpec) {
    this.#spec = spec;
    this.id = spec.id;
    this.command = spec.command;
    this.createdAt = spec.now();
    this.callId = spec.callId;
    this.#buffer = new RingBuffer(spec.limits.memory);
    this.#file = new OutputFile(spec.outputPath, spec.limits.disk);
    const [program, ...args] = spec.argv;
    this.#child = spawn(program, args, {
      cwd: spec.cwd,
      env: { ...spec.env, [SHELL_MARK]: spec.id },
      // no stdin: a command that asks a question gets EOF right away
      stdio: ['ignore', 'pipe', 'pipe'],
      // its own session: no terminal to prompt on, and one process group to signal
      detached: true,
    });
    this.#collect('stdout');
    this.#collect('stderr');
    this.ended = this.#waitForEnd();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Set once the output is longer than a result can hold. */
  get outputPath(): string | null {
    return this.#buffer.end > this.#spec.limits.inline ? this.#file.path : null;
  }

  get droppedOnDisk(): number {
    return this.#file.dropped;
  }

  read(cursor = 0): OutputRead {
    return this.#buffer.read(cursor);
  }

  /** Replays from `cursor` and continues live without a gap. Returns a function that stops it. */
  attach(cursor: number, listener: Listener): () => void {
    for (const { stream, text } of this.#buffer.read(cursor).pieces) listener(stream, text);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Every process the command started that still runs, daemons included. */
  async processes(): Promise<ProcessInfo[]> {
    const { pid } = this.#child;
    if (pid === undefined) return [];
    const found = await processesOf(this.id, pid);
    // hide our own wrapper around the command
    return found.map((info) => (info.pid === pid ? { ...info, command: this.command } : info));
  }

  async tree(): Promise<string> {
    return drawTree(await this.processes());
  }

  /** Ends the command and everything it started. Returns the pids that survived, normally none. */
  async kill(): Promise<number[]> {
    this.#isKilled = this.state === 'running';
    const left = await endProcesses(() => this.processes(), this.#spec.limits);
    if (left.length === 0) await this.ended;
    return left;
  }

  #collect(stream: OutputStream): void {
    // one decoder per pipe, because a character may be split across two chunks
    const decoder = new TextDecoder();
    const source = this.#child[stream];
    source?.on('data', (chunk: Buffer) => this.#write(stream, decoder.decode(chunk, { stream: true })));
    source?.on('end', () => this.#write(stream, decoder.decode()));
  }

  #write(stream: OutputStream, text: string): void {
    if (text === '') return;
    const { inline } = this.#spec.limits;
    const before = this.#buffer.end;
    if (before <= inline && before + text.length > inline)
      for (const piece of this.#buffer.read(0).pieces) this.#file.write(piece.text);
    this.#buffer.write(stream, text);
    if (this.#buffer.end > inline) this.#file.write(text);
    this.#lastOutputAt = Date.now();
    for (const listener of this.#listeners) listener(stream, text);
  }

  async #waitForEnd(): Promise<void> {
    const closed = once(this.#child, 'close').then(
      () => undefined,
      () => undefined,
    );
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      this.#child.once('exit', (exitCode, exitSignal) => resolve([exitCode, exitSignal]));
      this.#child.once('error', (error) => {
        this.#write('stderr', `${error.message}\n`);
        resolve([127, null]);
      });
    });
    const stop = new AbortController();
    await Promise.race([closed, this.#drained(stop.signal)]);
    stop.abort();
    this.exitCode = code;
    this.signal = signal;
    this.state = this.#isKilled ? 'killed' : 'exited';
    this.endedAt = this.#spec.now();
    void closed.then(() => this.#file.close());
  }

  /** `close` never fires while a leftover process keeps the pipe open. */
  async #drained(signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + DRAIN_MS;
    this.#lastOutputAt = Date.now();
    while (Date.now() < deadline && !signal.aborted) {
      // a pending timer would keep a script's process alive after its answer
      await sleep(25, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (Date.now() - this.#lastOutputAt > QUIET_MS && (await this.processes()).length > 0) return;
    }
  }
}
