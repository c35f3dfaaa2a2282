import { type DetachedTree, toTrees } from '../../../processes/detached.ts';
import { readPidFiles } from '../../../processes/pid-files.ts';
import type { Process } from '../../../processes/read-processes.ts';
import { SessionProcesses } from '../../../processes/session-processes.ts';
import type { Session } from '../../../sessions/session.ts';
import { findClients, type SessionClient } from './find-clients.ts';

export interface FoundProcesses {
  table: Process[];
  /** The session's own live processes. */
  clients: SessionClient[];
  tools: Process[];
}

export interface WatchedOptions {
  sessionId: string;
  session: () => Session | undefined;
  configDir: string;
  readProcesses: () => Promise<Process[]>;
}

/** Looks at one session's processes and remembers them: one that exits is still there for a while after it signed off. */
export class WatchedProcesses {
  readonly #options: WatchedOptions;
  readonly #started: SessionProcesses;
  #met: Process[] = [];

  constructor(options: WatchedOptions) {
    this.#options = options;
    this.#started = new SessionProcesses(options.sessionId);
  }

  /** Whether it ever had a process that didn't switch to another session. */
  get hasMet(): boolean {
    return this.#met.length > 0;
  }

  async check(): Promise<FoundProcesses> {
    const { configDir, sessionId, session, readProcesses } = this.#options;
    const table = await readProcesses();
    const bound = session()?.process;
    const known = bound ? [bound, ...this.#met] : this.#met;
    const clients = await findClients(table, { configDir, sessionId, known });
    const isClient = (one: Process) => clients.some(({ process }) => isSame(process, one));
    for (const { process } of clients) this.#meet(process);
    for (const one of this.#met) if (!isClient(one) && table.some((living) => isSame(living, one))) this.#leave(one);
    return { table, clients, tools: this.#started.tools(table) };
  }

  async tools(): Promise<{ table: Process[]; victims: Process[] }> {
    const table = await this.#options.readProcesses();
    return { table, victims: this.#started.tools(table) };
  }

  /** Everything it started that isn't detached, including servers and hooks. */
  async descendants(): Promise<{ table: Process[]; victims: Process[] }> {
    const table = await this.#options.readProcesses();
    return { table, victims: this.#started.descendants(table) };
  }

  /** Detached processes it started. */
  async detached(): Promise<{ table: Process[]; trees: DetachedTree[] }> {
    const { configDir, readProcesses } = this.#options;
    const [table, files] = await Promise.all([readProcesses(), readPidFiles(configDir)]);
    const clients = new Set(files.map(({ pid }) => pid));
    return { table, trees: toTrees(table, this.#started.detached(table), { clients }) };
  }

  #meet(client: Process): void {
    if (this.#met.some((one) => isSame(one, client))) return;
    this.#met.push(client);
    this.#started.addClient(client);
  }

  /** It is alive, but with another session. */
  #leave(other: Process): void {
    this.#met = this.#met.filter((one) => one !== other);
    this.#started.removeClient(other.pid);
  }
}

const isSame = (a: Process, b: Process) => a.pid === b.pid && a.start === b.start;
