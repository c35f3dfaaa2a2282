import { existsSync } from 'node:fs';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { IndexProgress, IndexStatus } from '../../contract/history.ts';
import type { ModelPrice } from '../../contract/prices.ts';
import { DomainError } from '../errors.ts';
import { foldersOf, realProjects } from './index/find-transcripts.ts';
import { PARSER_VERSION } from './index/schema.ts';
import { fromPlainError } from './threads/plain-error.ts';
import type { QUERIES, STREAMS } from './threads/queries.ts';
import type { ScanAhead } from './threads/scan-thread.ts';
import { type Scanners, startScanners } from './threads/start-scanners.ts';
import type {
  FromIndexer,
  FromReader,
  IndexerStart,
  ReaderStart,
  ThreadPaths,
  ToIndexer,
  ToReader,
} from './threads/worker-messages.ts';

const RESTART_MS = 5_000;
const STOP_PATIENCE_MS = 10_000;
const REPRICE_PATIENCE_MS = 10_000;
const NO_SCANNERS: Scanners = { ports: [], ahead: null };

type Queries = typeof QUERIES;
type Streams = typeof STREAMS;
type ArgsOf<F> = F extends (context: never, args: infer Args) => unknown ? Args : never;
type AnswerOf<F> = F extends (...args: never[]) => infer Answer ? Awaited<Answer> : never;

export interface TranscriptsOptions {
  /** The threads' built entry: Node 20 doesn't run TypeScript in a worker. */
  worker: string;
  paths: ThreadPaths;
  /** The operator's current prices. */
  overrides: () => readonly ModelPrice[];
  onError: (error: unknown) => void;
}

/**
 * Everything read from transcripts, in separate threads, so no hook waits for it: one thread keeps the index, another answers queries. A
 * thread that dies is restarted; the index survives being cut off at any moment.
 */
export class Transcripts {
  readonly #options: TranscriptsOptions;
  readonly #stopFlag = new SharedArrayBuffer(4);
  readonly #waiting = new Map<number, (message: FromReader) => void>();
  readonly #repricing = new Map<number, () => void>();
  #indexer: Worker | undefined;
  #reader: Worker | undefined;
  #restart: NodeJS.Timeout | undefined;
  #ready = newSignal();
  #isStopped = false;
  #lastId = 0;
  #failure: string | null = null;
  #status: IndexProgress = {
    phase: 'finding',
    files: { total: 0, done: 0 },
    bytes: { total: 0, done: 0 },
    sessions: 0,
    parserVersion: PARSER_VERSION,
    lastScanAt: null,
    problems: [],
    unreadable: { count: 0, paths: [] },
    unknownLineTypes: [],
  };

  constructor(options: TranscriptsOptions) {
    this.#options = options;
  }

  start(): void {
    const { paths, worker: file, overrides } = this.#options;
    const common = { overrides: overrides(), stop: this.#stopFlag };
    // on a first start everything has to be read: threads that help begin while the indexer opens its file
    const scanners = existsSync(paths.historyPath) ? NO_SCANNERS : this.#startScanners(common);
    const worker = this.#startWorker({ role: 'indexer', paths, worker: file, ...common, scanners }, scanners.ports);
    this.#indexer = worker;
    // later, with all processors busy, starting a thread would keep the first page waiting
    if (scanners.ports.length > 0) this.warmUp();
    worker.on('message', (message: FromIndexer) => this.#hear(message));
    worker.on('error', (error) => {
      this.#failure = error.message;
    });
    worker.on('exit', () => {
      this.#indexer = undefined;
      // waiters for the tables must not wait for a thread that couldn't start
      this.#ready.give(new ReadingStopped());
      this.#ready = newSignal();
      // the next one starts with the prices of that moment
      for (const done of this.#repricing.values()) done();
      // the next one may start with another file
      this.#reader?.terminate();
      if (!this.#isStopped) this.#restart = setTimeout(() => this.start(), RESTART_MS);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#restart);
    // also seen during a long pass, which receives no messages
    Atomics.store(new Int32Array(this.#stopFlag), 0, 1);
    this.#tell({ kind: 'stop' });
    await Promise.all([this.#indexer && ended(this.#indexer), this.#reader?.terminate()]);
  }

  /** This transcript was written to. */
  poke(path: string): void {
    this.#tell({ kind: 'poke', path });
  }

  /** The prices changed. Resolves when all later queries use them, or after a while. */
  async reprice(): Promise<void> {
    const overrides = this.#options.overrides();
    const id = ++this.#lastId;
    if (this.#indexer)
      await new Promise<void>((resolve) => {
        const patience = setTimeout(resolve, REPRICE_PATIENCE_MS);
        this.#repricing.set(id, () => {
          clearTimeout(patience);
          resolve();
        });
        this.#tell({ kind: 'prices', id, overrides });
      });
    this.#repricing.delete(id);
    this.#reader?.postMessage({ kind: 'prices', overrides } satisfies ToReader);
  }

  /** Starts what the first query would have to wait for. Not with the daemon: until someone asks, 22 MB are better left free. */
  warmUp(): void {
    this.#openReader().catch((error) => {
      if (!(error instanceof ReadingStopped)) this.#options.onError(error);
    });
  }

  status(): IndexStatus {
    return { ...this.#status, failure: this.#failure };
  }

  async query<Name extends keyof Queries & string>(
    name: Name,
    args: ArgsOf<Queries[Name]>,
  ): Promise<AnswerOf<Queries[Name]>> {
    const reader = await this.#openReader();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (message) => {
        this.#waiting.delete(id);
        if (message.kind === 'failure') reject(fromPlainError(message.error));
        else resolve((message as { value: unknown }).value as AnswerOf<Queries[Name]>);
      });
      reader.postMessage({ kind: 'ask', id, name, args } satisfies ToReader);
    });
  }

  async *stream<Name extends keyof Streams & string>(name: Name, args: ArgsOf<Streams[Name]>): AsyncGenerator<string> {
    const reader = await this.#openReader();
    const id = ++this.#lastId;
    let isOver = false;
    reader.postMessage({ kind: 'read', id, name, args } satisfies ToReader);
    try {
      for (;;) {
        if (this.#reader !== reader) throw new ReadingStopped();
        const message = await new Promise<FromReader>((resolve) => {
          this.#waiting.set(id, resolve);
          reader.postMessage({ kind: 'more', id } satisfies ToReader);
        });
        isOver = message.kind !== 'chunk';
        if (message.kind === 'failure') throw fromPlainError(message.error);
        if (message.kind !== 'chunk') return;
        yield message.chunk;
      }
    } finally {
      this.#waiting.delete(id);
      if (!isOver) reader.postMessage({ kind: 'cancel', id } satisfies ToReader);
    }
  }

  #hear(message: FromIndexer): void {
    if (message.kind === 'ready') this.#ready.give(undefined);
    else if (message.kind === 'repriced') this.#repricing.get(message.id)?.();
    else if (message.kind === 'status') {
      this.#status = message.status;
      if (message.status.phase === 'idle') this.#failure = null;
    } else {
      this.#failure = message.reason;
      this.#options.onError(new Error(message.message));
    }
  }

  #tell(message: ToIndexer): void {
    this.#indexer?.postMessage(message);
  }

  async #openReader(): Promise<Worker> {
    const failure = this.#isStopped ? undefined : await this.#ready.given;
    // also if it was stopped meanwhile: a thread started after that would keep the process alive forever
    if (this.#isStopped) throw new ReadingStopped();
    if (failure) throw failure;
    if (this.#reader) return this.#reader;
    const { paths, overrides } = this.#options;
    const reader = this.#startWorker({ role: 'reader', paths, overrides: overrides() });
    this.#reader = reader;
    reader.on('message', (message: FromReader) => this.#waiting.get(message.id)?.(message));
    reader.on('exit', () => {
      if (this.#reader === reader) this.#reader = undefined;
      const error = { message: new ReadingStopped().message, stack: undefined, domain: undefined };
      for (const [id, answer] of [...this.#waiting]) answer({ kind: 'failure', id, error });
    });
    return reader;
  }

  #startScanners(common: Pick<ScanAhead, 'overrides' | 'stop'>): Scanners {
    const { paths, worker, onError } = this.#options;
    const projects = foldersOf(paths).map(realProjects);
    return startScanners({ worker, onError, ahead: { ...common, projects, givesWay: true } });
  }

  #startWorker(start: IndexerStart | ReaderStart, transferList: MessagePort[] = []): Worker {
    // nearly everything a line is parsed into is garbage a moment later
    const resourceLimits = start.role === 'indexer' ? { maxYoungGenerationSizeMb: 32 } : {};
    const worker = new Worker(this.#options.worker, { workerData: start, resourceLimits, transferList });
    worker.on('error', this.#options.onError);
    return worker;
  }
}

function newSignal(): { given: Promise<Error | undefined>; give: (failure: Error | undefined) => void } {
  let give: (failure: Error | undefined) => void = () => undefined;
  const given = new Promise<Error | undefined>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

function ended(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => resolve(worker.terminate()), STOP_PATIENCE_MS);
    worker.once('exit', () => {
      clearTimeout(patience);
      resolve(undefined);
    });
  });
}

class ReadingStopped extends DomainError {
  constructor() {
    super('transcripts.stopped', 503, "Transcripts can't be read right now. Try again in a moment.");
  }
}
