import { CHALLENGE_HEADER } from '../contract/access.ts';
import { addressOf } from '../contract/address.ts';
import { parseJson } from '../contract/parse-json.ts';
import { takeChallenge } from '../contract/routes/access.ts';
import type { CallArguments, JsonRoute, Route, RouteAnswer } from '../contract/routes/route.ts';
import { recordOf, textOf } from '../contract/values.ts';
import { CallRefused, DaemonUnreachable } from './errors.ts';
import { type Sent, sendRequest } from './send-request.ts';

export interface Credential {
  token: string;
  /** Can only read. For each action, the daemon gives this process a challenge if it runs in one of the operator's terminals. */
  isLocal: boolean;
}

/** Read it once, to its end or until you stop. */
export type Pieces = AsyncIterable<Uint8Array>;

interface Given {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

interface StreamOptions {
  act?: boolean;
  signal?: AbortSignal;
}

/** Calls the daemon through the contract's routes. */
export class Client {
  readonly url: string;
  readonly #credential: Credential;

  constructor(url: string, credential: Credential) {
    this.url = url;
    this.#credential = credential;
  }

  async call<R extends JsonRoute>(route: R, ...[given]: CallArguments<R>): Promise<RouteAnswer<R>> {
    const parts: Given = given ?? {};
    const address = addressOf(route, parts);
    // always send a body if one is expected: the server reads its defaults from it
    const body = route.body && (parts.body ?? {});
    const response = await this.#send(route.method, address, { act: isAct(route), body });
    const text = await response.text();
    return parseAnswer(route, text === '' ? null : JSON.parse(text));
  }

  /** A response that isn't JSON, in chunks. With `act`, the call proves that this process may act, even if the route only reads. */
  async stream<R extends Route>(route: R, ...[given]: CallArguments<R, StreamOptions>): Promise<Pieces> {
    const parts: Given & StreamOptions = given ?? {};
    const { act = isAct(route), signal } = parts;
    return (await this.#send(route.method, addressOf(route, parts), { act, signal })).body;
  }

  /** With `act`, the call proves that this process may act. */
  async #send(
    method: string,
    address: string,
    { act, body, signal }: { act: boolean; body?: unknown; signal?: AbortSignal | undefined },
  ): Promise<Sent> {
    const headers = { ...this.#authorization(), ...(act ? await this.prove() : {}) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await sendRequest(this.url + address, { method, headers, signal, ...content }).catch(
      (error: Error) => {
        throw new DaemonUnreachable(this.url, error.message);
      },
    );
    const { status } = response;
    if (status < 200 || status > 299) throw refusalOf(status, await response.text(), `${method} ${address}`);
    return response;
  }

  /** Headers for one action by this process. Throws if it may not act. */
  async prove(): Promise<Record<string, string>> {
    if (!this.#credential.isLocal) return {};
    const { challenge } = await this.call(takeChallenge);
    return { [CHALLENGE_HEADER]: challenge };
  }

  #authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.#credential.token}` };
  }
}

function parseAnswer<R extends JsonRoute>(route: R, data: unknown): RouteAnswer<R> {
  // parsed by the route's own schema, but the type system can't see that for a route in a variable
  return route.answer.parse(data) as RouteAnswer<R>;
}

/** Reading what only operators may see takes the same proof as a change. */
function isAct({ method, role }: Route): boolean {
  return role === 'admin' || role === 'operator' || (role === undefined || role === 'agent' ? method !== 'GET' : false);
}

function refusalOf(status: number, text: string, asked: string): CallRefused {
  const error = recordOf(recordOf(parseJson(text)).error);
  const message = textOf(error.message) || `${asked} failed with status ${status}.`;
  return new CallRefused(message, { status, code: textOf(error.code) || 'unknown' });
}
