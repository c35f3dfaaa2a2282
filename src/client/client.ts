import { CHALLENGE_HEADER } from '../contract/access.ts';
import { ErrorBody } from '../contract/errors.ts';
import { takeChallenge } from '../contract/routes/access.ts';
import { addressOf, type Route, type RouteAnswer, type RouteCall } from '../contract/routes/route.ts';
import { CallRefused, DaemonUnreachable } from './errors.ts';

export interface Credential {
  token: string;
  /** Read-only: for each act the daemon gives this process a challenge, if it runs in one of the operator's terminals. */
  isLocal: boolean;
}

interface Given {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Nothing to give where every part can be left out. */
type CallArguments<R extends Route> =
  Record<string, never> extends RouteCall<R> ? [given?: RouteCall<R>] : [given: RouteCall<R>];

/** Calls the daemon by the contract's routes. */
export class Client {
  readonly url: string;
  readonly #credential: Credential;

  constructor(url: string, credential: Credential) {
    this.url = url;
    this.#credential = credential;
  }

  async call<R extends Route>(route: R, ...[given]: CallArguments<R>): Promise<RouteAnswer<R>> {
    const parts: Given = given ?? {};
    const address = addressOf(route, parts);
    // a body is sent whenever one is expected: the server reads its defaults from it
    const body = route.body && (parts.body ?? {});
    const text = await this.request(route.method, address, { act: isAct(route), body });
    return route.answer.parse(text === '' ? null : JSON.parse(text)) as RouteAnswer<R>;
  }

  /** The answer's text. With `act`, the call proves that this process may act. */
  protected async request(
    method: string,
    address: string,
    { act, body }: { act: boolean; body?: unknown },
  ): Promise<string> {
    const headers = { ...this.#authorization(), ...(act ? await this.prove() : {}) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(this.url + address, init).catch((error: Error) => {
      throw new DaemonUnreachable(this.url, error.cause instanceof Error ? error.cause.message : error.message);
    });
    const text = await response.text();
    if (!response.ok) throw refusalOf(response.status, text, `${method} ${address}`);
    return text;
  }

  /** The answer, piece by piece. */
  async stream(
    address: string,
    { act = false, signal }: { act?: boolean; signal?: AbortSignal } = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    const headers = { ...this.#authorization(), ...(act ? await this.prove() : {}) };
    const response = await fetch(this.url + address, { headers, ...(signal ? { signal } : {}) });
    if (!response.ok || !response.body) throw refusalOf(response.status, await response.text(), `GET ${address}`);
    return response.body as unknown as AsyncIterable<Uint8Array>;
  }

  /** Headers for one act of this process. Throws if it may not act. */
  async prove(): Promise<Record<string, string>> {
    if (!this.#credential.isLocal) return {};
    const { challenge } = await this.call(takeChallenge);
    return { [CHALLENGE_HEADER]: challenge };
  }

  #authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.#credential.token}` };
  }
}

/** Reading what is for operators only takes the same proof as a change. */
function isAct({ method, role }: Route): boolean {
  return role ? role === 'operator' : method !== 'GET';
}

function refusalOf(status: number, text: string, asked: string): CallRefused {
  const error = ErrorBody.safeParse(parse(text)).data?.error;
  const message = error?.message ?? `${asked} failed with status ${status}.`;
  return new CallRefused(message, { status, code: error?.code ?? 'unknown' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
