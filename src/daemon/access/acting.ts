import type { IncomingMessage } from 'node:http';
import { CHALLENGE_HEADER, type UnclearCaller } from '../../contract/access.ts';
import { createLink } from '../../contract/routes/access.ts';
import type { DomainError } from '../errors.ts';
import type { ProcessKey } from '../peers/origin.ts';
import { type Caller, type Origins, sessionOf } from '../peers/origins.ts';
import type { Challenges } from './challenges.ts';
import type { Devices, KnownDevice } from './devices.ts';
import {
  byAgent,
  callerGone,
  callerHidden,
  callerUnknown,
  noChallenge,
  noTerminal,
  unclearCaller,
} from './refusal-errors.ts';
import type { Refusals } from './refusals.ts';
import type { UnclearCallers } from './unclear-callers.ts';

/** A request that changes something or reads what only operators may see. */
export interface ActRequest {
  raw: IncomingMessage;
  device: KnownDevice | undefined;
}

export interface ActingOptions {
  origins: Origins;
  challenges: Challenges;
  unclear: UnclearCallers;
  refusals: Refusals;
  devices: Devices;
  /** A session's name for messages. */
  titleOf: (sessionId: string) => string;
  /** Called once for a caller that waits to be confirmed. */
  onUnclear: (caller: UnclearCaller) => void;
  /** The program that started us in the background and prints our first link. */
  starter: ProcessKey | undefined;
  onError: (error: unknown) => void;
}

const CHECK_EVERY_MS = 200;

type Process = Extract<Caller, { kind: 'process' }>;

/**
 * Whether the holder of a credential may act with it. Every program a user runs can read what that user can read, including agents, so a
 * credential alone proves nothing: what counts is the process that sent the request.
 */
export class Acting {
  readonly #options: ActingOptions;
  #checkedAt = 0;

  constructor(options: ActingOptions) {
    this.#options = options;
  }

  /** The acting device, with where it acts. Throws, and records it, if it isn't allowed to. */
  async admit(request: ActRequest): Promise<KnownDevice> {
    const device = request.device!;
    const caller = await this.#checkCaller(request);
    if (device.kind !== 'local') return device;
    const asker = this.#checkLocal(caller, request);
    if (this.#isOwn(asker)) return device;
    const challenge = request.raw.headers[CHALLENGE_HEADER];
    const isProven = typeof challenge === 'string' && this.#options.challenges.use(challenge, asker);
    if (!isProven) throw this.#refuse(request, caller, noChallenge());
    return { ...device, name: `${device.name}, ${asker.origin.terminal?.name}` };
  }

  /** A challenge for one action, for the process that requests it. */
  async challenge(request: ActRequest): Promise<{ challenge: string; expiresAt: number }> {
    const caller = await this.#checkCaller(request);
    return this.#options.challenges.issue(this.#checkLocal(caller, request));
  }

  /** Refuses a session's process where no more than that matters: before a code signs someone in, or a page counts as one. */
  async checkCaller(request: ActRequest): Promise<void> {
    await this.#checkCaller(request);
  }

  /** Someone without the right credential, or from another site, tried to act. Recorded if it was an agent or a page. */
  noteRefused(raw: IncomingMessage, error: DomainError): void {
    const request = { raw, device: undefined };
    if (error.code === 'access.cross_site') {
      this.#refuse(request, undefined, error);
      return;
    }
    if (!this.#mayLook()) return;
    this.#options.origins.of(raw.socket, { byStart: false }).then((caller) => {
      if (caller.kind === 'process' && caller.origin.kind !== 'person') this.#refuse(request, caller, error);
    }, this.#options.onError);
  }

  /** A session asked, with its own token, for something it may not do. */
  noteSession(raw: IncomingMessage, sessionId: string, error: DomainError): void {
    this.#options.refusals.note({
      sessionId,
      by: `session ${sessionId}`,
      method: raw.method ?? '',
      path: (raw.url ?? '').split('?', 1)[0] ?? '',
      why: error.message,
    });
  }

  /** Identifying a caller costs more than refusing it, so one that keeps trying is only looked up occasionally. */
  #mayLook(): boolean {
    const now = Date.now();
    if (now - this.#checkedAt < CHECK_EVERY_MS) return false;
    this.#checkedAt = now;
    return true;
  }

  /** Refuses a known session process, whatever credential it shows. */
  async #checkCaller(request: ActRequest): Promise<Caller> {
    const { origins, unclear, onUnclear, titleOf } = this.#options;
    const isFile = request.device?.kind === 'local' || request.device?.kind === 'bearer';
    const caller = await origins.of(request.raw.socket, { byStart: isFile });
    if (caller.kind === 'gone') throw this.#refuse(request, caller, callerGone());
    if (caller.kind === 'hidden' && (await origins.hasHiddenAgent()))
      throw this.#refuse(request, caller, callerHidden());
    if (caller.kind !== 'process') return caller;
    const { origin } = caller;
    // Without a terminal, only a browser (or a program about to open one) carries a session's mark by accident.
    const isMarked = origin.kind === 'unclear' && origin.how !== 'opened' && !origin.terminal && isFile;
    if (origin.kind === 'agent' || isMarked) throw this.#refuse(request, caller, byAgent(titleOf(origin.sessionId)));
    if (origin.kind === 'unclear') {
      const { caller: asks, isNew } = unclear.ask(origin);
      if (isNew) onUnclear(asks);
      throw this.#refuse(request, caller, unclearCaller(titleOf(origin.sessionId), asks.code));
    }
    return caller;
  }

  /** Every agent can read the data dir's token, so it acts only from a terminal. */
  #checkLocal(caller: Caller, request: ActRequest): Process & { origin: { kind: 'person' } } {
    if (caller.kind !== 'process' || caller.origin.kind !== 'person')
      throw this.#refuse(request, caller, callerUnknown());
    const asker = { ...caller, origin: caller.origin };
    if (this.#isOwn(asker)) {
      const isLink = request.raw.url === createLink.path;
      // Anyone who can kill us can restart us. A link given for that alone would let an agent sign in.
      if (isLink && !asker.hasTerminal && this.#options.devices.hasOperator())
        throw this.#refuse(request, caller, noTerminal());
      return asker;
    }
    if (asker.origin.terminal === null) throw this.#refuse(request, caller, noTerminal());
    return asker;
  }

  #isOwn({ pid, start, isSelf }: Process): boolean {
    const { starter } = this.#options;
    return isSelf || (starter?.pid === pid && starter.start === start);
  }

  #refuse({ raw, device }: ActRequest, caller: Caller | undefined, error: DomainError): DomainError {
    this.#options.refusals.note({
      sessionId: sessionOf(caller),
      by: caller ? describe(caller, device) : `a page of ${raw.headers.origin ?? 'another site'}`,
      method: raw.method ?? '',
      path: (raw.url ?? '').split('?', 1)[0] ?? '',
      why: error.message,
    });
    return error;
  }
}

function describe(caller: Caller, device: KnownDevice | undefined): string {
  const credential = device ? `${device.name} (${device.id.slice(0, 8)})` : 'nobody yet';
  if (caller.kind !== 'process') return `${caller.kind} process, as ${credential}`;
  return `${caller.program} (pid ${caller.pid}), as ${credential}`;
}
