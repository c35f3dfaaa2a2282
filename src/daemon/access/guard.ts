import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Role } from '../../contract/access.ts';
import { PROOF_SCHEME, SOCKET_PROOF_PREFIX } from '../../contract/proof.ts';
import { DomainError } from '../errors.ts';
import type { Devices, KnownDevice } from './devices.ts';
import type { Proofs } from './proofs.ts';
import type { SessionPrincipal, SessionTokens } from './session-tokens.ts';

/**
 * Who a route is for. Only `hook` routes take the hook token; an operator may use them too. `agent` routes also take the token of an
 * orchestrated session; `runner` routes take only a runner's token.
 */
export type Access = 'open' | 'hook' | Role | 'agent' | 'runner';

export const HOOK_TOKEN_HEADER = 'x-groundcontrol-token';

export interface GuardOptions {
  port: () => number;
  /** Addresses outside this machine that the operator set up. */
  publicUrls: () => readonly string[];
  hookToken: string;
  devices: Devices;
  proofs: Proofs;
  sessionTokens: SessionTokens;
}

interface Asked {
  access: Access;
  method: string;
  headers: IncomingHttpHeaders;
}

/** Throws unless this request is allowed, and returns the device it comes from. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #hookToken: Buffer;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#hookToken = Buffer.from(options.hookToken);
  }

  check({ access, method, headers }: Asked): KnownDevice | undefined {
    this.#checkHost(headers.host);
    this.#checkOrigin(headers, method);
    if (access === 'open') return undefined;
    if (access === 'hook' && headers[HOOK_TOKEN_HEADER] !== undefined) return this.#checkHookToken(headers);
    return this.#checkDevice(access === 'viewer' || access === 'admin' ? access : 'operator', headers);
  }

  /** The session whose token a request shows. Undefined: it shows none, so a device must ask. A runner's route is for runners alone. */
  checkSession(access: 'agent' | 'runner', { method, headers }: Omit<Asked, 'access'>): SessionPrincipal | undefined {
    this.#checkHost(headers.host);
    this.#checkOrigin(headers, method);
    const principal = this.principalOf(headers);
    if (principal?.kind === access) return principal;
    if (access === 'agent') return undefined;
    throw new DomainError(
      'access.not_a_runner',
      401,
      'Only the runner of a session may call this, with its own token.',
    );
  }

  /** The session whose token a request shows, whatever it wants. */
  principalOf(headers: IncomingHttpHeaders): SessionPrincipal | undefined {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return this.#options.sessionTokens.find(token);
  }

  /** DNS rebinding: a page of evil.example that resolves to 127.0.0.1 still sends its own name. */
  #checkHost(host: string | undefined): void {
    if (host !== undefined && this.#hosts().includes(host.toLowerCase())) return;
    throw new DomainError(
      'access.wrong_host',
      403,
      `Refused: the Host header says ${JSON.stringify(host ?? '')}. Use ${this.#hosts()[0]}.`,
    );
  }

  /** Cross-site requests: a browser names the requesting page, and only our own is allowed. */
  #checkOrigin(headers: IncomingHttpHeaders, method: string): void {
    const { origin } = headers;
    const isOurs = origin === undefined || this.#isOurs(origin);
    const isNavigation = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
    const isForeign = headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';
    if (isOurs && (!isForeign || isNavigation)) return;
    throw new DomainError(
      'access.cross_site',
      403,
      `Refused: this request comes from another site (${origin ?? 'unnamed'}).`,
    );
  }

  #checkHookToken(headers: IncomingHttpHeaders): undefined {
    const given = headers[HOOK_TOKEN_HEADER];
    if (typeof given === 'string' && given.length === this.#hookToken.length) {
      const bytes = Buffer.from(given);
      if (bytes.length === this.#hookToken.length && timingSafeEqual(bytes, this.#hookToken)) return undefined;
    }
    throw new DomainError(
      'access.bad_hook_token',
      401,
      `Wrong ${HOOK_TOKEN_HEADER}. \`gctl hooks install\` renews it in Claude's settings.`,
    );
  }

  #checkDevice(access: Role, headers: IncomingHttpHeaders): KnownDevice {
    const device = this.#find(headers);
    const principal = device ? undefined : this.principalOf(headers);
    if (principal) throw new NotForSessions(principal.sessionId);
    if (!device) {
      throw new DomainError(
        'access.no_credential',
        401,
        "Sign in first. Run `gctl link` for a browser link, or `gctl token` for a script's bearer token.",
        // A browser that signed an earlier run signs this one and retries.
        { run: this.#options.proofs.run },
      );
    }
    if (access !== 'viewer' && device.role === 'viewer')
      throw new DomainError('access.viewer', 403, `${device.name} is view only.`);
    if (access === 'admin' && device.role !== 'admin')
      throw new DomainError(
        'access.not_admin',
        403,
        `${device.name} can't manage devices or settings. Use a device with the admin role, or gctl on the machine itself.`,
      );
    return device;
  }

  #find(headers: IncomingHttpHeaders): KnownDevice | undefined {
    const { devices, proofs } = this.#options;
    const [, scheme = '', credential = ''] = /^(\w+) (\S+)$/.exec(headers.authorization ?? '') ?? [];
    if (scheme.toLowerCase() === 'bearer') return devices.find(credential);
    if (scheme === PROOF_SCHEME) return proofs.find(credential);
    const proof = socketProof(headers);
    return proof === undefined ? undefined : proofs.find(proof);
  }

  #hosts(): string[] {
    const port = this.#options.port();
    const here = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
    return [...here, ...this.#options.publicUrls().map((url) => new URL(url).host)];
  }

  #isOurs(origin: string): boolean {
    const { port, publicUrls } = this.#options;
    const here = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}:${port()}`);
    return here.includes(origin) || publicUrls().some((url) => new URL(url).origin === origin);
  }
}

/** An agent, or its runner, asked for what only people may do. */
export class NotForSessions extends DomainError {
  readonly sessionId: string;

  constructor(sessionId: string) {
    super('access.agent', 403, 'An agent may start, watch and stop its own children, and nothing else.');
    this.sessionId = sessionId;
  }
}

function socketProof(headers: IncomingHttpHeaders): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  return offered.find((protocol) => protocol.startsWith(SOCKET_PROOF_PREFIX))?.slice(SOCKET_PROOF_PREFIX.length);
}
