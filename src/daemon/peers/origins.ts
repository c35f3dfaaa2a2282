import type { Socket } from 'node:net';
import type { Core } from '../core.ts';
import { readPidFiles } from '../processes/pid-files.ts';
import { parseStat } from '../processes/process-table.ts';
import { readMark, readProc } from '../processes/read-processes.ts';
import { type Ancestor, readAncestors, startedAt } from './ancestors.ts';
import { readFamily } from './descendants.ts';
import { findPeer, type Peer } from './find-peer.ts';
import { isShutOff } from './find-peer-linux.ts';
import { judgeOrigin, type Origin, type ProcessKey, type WatchedClient } from './origin.ts';
import type { SeenProcesses } from './seen-processes.ts';

/** Process times have a resolution of a hundredth of a second, and our check takes a moment. */
const MARGIN_MS = 60;

/** Who is at the other end of a connection. */
export type Caller =
  | (ProcessKey & { kind: 'process'; program: string; hasTerminal: boolean; origin: Origin; isSelf: boolean })
  | { kind: 'gone' | 'hidden' | 'remote' | 'unknown' };

export interface OriginsOptions {
  core: Core;
  configDir: string;
  seen: SeenProcesses;
  /** The sessions are simulated: a terminal opened while their tools run is a person's. */
  isSimulated?: boolean | undefined;
  isConfirmed: (process: ProcessKey) => boolean;
}

/** Finds out who is asking: the process that has the connection, its ancestors, and whose they are. */
export class Origins {
  readonly #options: OriginsOptions;
  /** A connection stays with its process, so later requests on it aren't looked up again. */
  readonly #peers = new WeakMap<Socket, Peer>();
  #hosts: () => WatchedClient[] = () => [];

  constructor(options: OriginsOptions) {
    this.#options = options;
  }

  /** Processes that host sessions, and so start their tools, without being clients that we know by other means. */
  watchHosts(hosts: () => WatchedClient[]): void {
    this.#hosts = hosts;
  }

  /** `byStart`: its credential is in a file, so what an agent may have started unseen counts too. */
  async of(socket: Socket, { byStart }: { byStart: boolean }): Promise<Caller> {
    const { peer, lineage } = await this.lineageOf(socket);
    const [own] = lineage;
    if (peer.kind !== 'process' || !own) return { kind: peer.kind === 'process' ? 'gone' : peer.kind };
    const { pid, start, name: program } = own;
    const isSelf = pid === process.pid;
    // A test's or demo's session may run in the daemon itself; what counts is who started that.
    const origin = await this.#judge(isSelf ? lineage.slice(1) : lineage, {
      byStart: byStart && !isSelf && !this.#options.isSimulated,
    });
    return { kind: 'process', pid, start, program, hasTerminal: own.tty !== null, isSelf, origin };
  }

  /** The process at the other end and its ancestors. `likely`: processes to try first. Empty: it is gone, or can't be inspected. */
  async lineageOf(socket: Socket, likely: readonly number[] = []): Promise<{ peer: Peer; lineage: Ancestor[] }> {
    const peer = await this.#peerOf(socket, likely);
    if (peer.kind !== 'process') return { peer, lineage: [] };
    const lineage = await readAncestors(peer.pid);
    return lineage[0]?.start === peer.start ? { peer, lineage } : { peer: { kind: 'gone' }, lineage: [] };
  }

  /** A session's process that hides its open files, and so may be the one we can't identify. */
  async hasHiddenAgent(): Promise<boolean> {
    if (process.platform !== 'linux') return false;
    for (const { pid } of await this.clients()) {
      const { below } = await readFamily(pid);
      if (below.some((one) => isShutOff(one.pid))) return true;
    }
    return false;
  }

  /** Every process known to be a session's own, from the live model and the client's own files. */
  async clients(): Promise<WatchedClient[]> {
    const { core, configDir } = this.#options;
    const files = await readPidFiles(configDir);
    const bound = [...core.live.sessions()].flatMap(({ id, process: client, others }) =>
      [...(client ? [client] : []), ...others].map((one) => ({ ...one, sessionId: id })),
    );
    const listed = files.map(({ pid, procStart, sessionId }) => ({ pid, start: procStart ?? null, sessionId }));
    return [...listed, ...bound, ...this.#hosts()];
  }

  async #peerOf(socket: Socket, likely: readonly number[]): Promise<Peer> {
    const known = this.#peers.get(socket);
    if (known) return known;
    const peer = await findPeer(socket, likely);
    if (peer.kind === 'process') this.#peers.set(socket, peer);
    return peer;
  }

  async #judge(lineage: Ancestor[], { byStart }: { byStart: boolean }): Promise<Origin> {
    const { core, seen, isConfirmed } = this.#options;
    const clients = await this.clients();
    const running = byStart ? await runningTools(clients) : [];
    return judgeOrigin({
      lineage,
      clients,
      ownerOf: (ancestor) => seen.ownerOf(ancestor, startOf),
      isWatched: (id) => clients.some(({ sessionId }) => sessionId === id) || isKnown(core, id),
      ranWhenStarted: ({ start }) => {
        if (!byStart) return undefined;
        const at = startedAt(start);
        return seen.ranAt(at) ?? running.find(({ since }) => since - MARGIN_MS <= at)?.sessionId;
      },
      isConfirmed,
    });
  }
}

/** For live ones, to include what a session may have started up to now. */
async function runningTools(clients: WatchedClient[]): Promise<{ sessionId: string; since: number }[]> {
  const found: { sessionId: string; since: number }[] = [];
  for (const { pid, sessionId } of clients) {
    const { below } = await readFamily(pid);
    const tools = below.filter((one) => readMark(readProc(one.pid, 'environ'))?.role === 'agent');
    if (tools.length > 0) found.push({ sessionId, since: Math.min(...tools.map(({ start }) => startedAt(start))) });
  }
  return found;
}

/** The session it belongs to, or may belong to. */
export function sessionOf(caller: Caller | undefined): string | undefined {
  if (caller?.kind !== 'process' || caller.origin.kind === 'person') return undefined;
  return caller.origin.sessionId;
}

export const startOf = (pid: number): string | undefined => parseStat(readProc(pid, 'stat'))?.start;

function isKnown({ live, left }: Core, sessionId: string): boolean {
  return live.get(sessionId) !== undefined || left.find(sessionId) !== undefined;
}
