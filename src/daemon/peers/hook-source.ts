import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusals } from '../access/refusals.ts';
import { DomainError } from '../errors.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Ancestor } from './ancestors.ts';
import { isSame } from './origin.ts';
import { type Origins, sessionOf, startOf } from './origins.ts';

/** A new client writes its pid file after a quarter of a second; its hooks wait a second for an answer. */
const STARTING_MS = 500;
const POLL_MS = 50;

export class WrongSession extends DomainError {
  constructor(sessionId: string) {
    super('hook.wrong_session', 403, `This is for session ${sessionId}, but it wasn't sent by that session's client.`);
  }
}

export interface HookSourceOptions {
  origins: Origins;
  live: LiveModel;
  refusals: Refusals;
}

/**
 * Every agent can read the hook token. So what is sent in a session's name counts only if it comes from that session's own client or a
 * command the client runs. If we know of no live client, anyone with the token is believed.
 */
export class HookSource {
  readonly #options: HookSourceOptions;
  /** A connection stays with its process, so each is checked once. */
  readonly #known = new WeakMap<Socket, Set<string>>();

  constructor(options: HookSourceOptions) {
    this.#options = options;
  }

  async check(sessionId: string, request: IncomingMessage): Promise<void> {
    const { live } = this.#options;
    if (this.#known.get(request.socket)?.has(sessionId) || !live.get(sessionId)?.process) return;
    for (const since = Date.now(); !(await this.#isOwn(sessionId, request.socket)); await sleep(POLL_MS)) {
      if (Date.now() - since < STARTING_MS && (await this.#mayBeStarting(request.socket))) continue;
      throw await this.#refuse(sessionId, request);
    }
    const known = this.#known.get(request.socket) ?? new Set();
    this.#known.set(request.socket, known.add(sessionId));
  }

  async #isOwn(sessionId: string, socket: Socket): Promise<boolean> {
    const { origins } = this.#options;
    const all = await origins.clients();
    const clients = all.filter(
      (one) => one.sessionId === sessionId && (one.start === null || startOf(one.pid) === one.start),
    );
    if (clients.length === 0) return true;
    // the client posts most hooks itself, and a search through all processes would cost its first hook 7 ms
    const { peer, lineage } = await origins.lineageOf(
      socket,
      clients.map(({ pid }) => pid),
    );
    if (peer.kind === 'unknown') return true;
    if (peer.kind === 'hidden') return !(await origins.hasHiddenAgent());
    // The demo's and tests' agents run in the daemon itself.
    if (peer.kind === 'process' && peer.pid === process.pid) return true;
    const at = lineage.findIndex((ancestor) => clients.some((client) => isSame(client, ancestor)));
    return at >= 0 && !lineage.slice(0, at).some(isTool);
  }

  /** A client nobody knows yet. One of another session is known. */
  async #mayBeStarting(socket: Socket): Promise<boolean> {
    const { lineage } = await this.#options.origins.lineageOf(socket);
    const known = await this.#options.origins.clients();
    const client = lineage.find(({ name }) => /^(?:claude|node|bun)$/.test(name));
    return client !== undefined && !lineage.some((one) => known.some((other) => isSame(other, one)));
  }

  async #refuse(sessionId: string, request: IncomingMessage): Promise<WrongSession> {
    const error = new WrongSession(sessionId);
    const caller = await this.#options.origins.of(request.socket, { byStart: false });
    const by = caller.kind === 'process' ? `${caller.program} (pid ${caller.pid})` : `${caller.kind} process`;
    this.#options.refusals.note({
      sessionId: sessionOf(caller),
      by: `${by}, as a hook`,
      method: request.method ?? '',
      path: (request.url ?? '').split('?', 1)[0] ?? '',
      why: error.message,
    });
    return error;
  }
}

/** Started for the model: what the client runs for itself is marked differently. */
const isTool = ({ mark }: Ancestor): boolean => mark?.role === 'agent';
