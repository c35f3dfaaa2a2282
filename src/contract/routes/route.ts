import { z } from 'zod';
import type { Role } from '../access.ts';

/** The prefix of every route. */
export const API_PREFIX = '/api/';

/** One API route: what the server validates and sends, and what a client passes and gets. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `:name` is a parameter. */
  path: string;
  tag: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Undefined: the answer is a file or a stream. */
  answer?: z.ZodType;
  /** The answer is a stream of server-sent events, each of which matches one of these. */
  events?: z.ZodType;
  /** Status of a successful response; default 200. */
  status?: number;
  /** Status of the same response while the work it reports is still in progress. */
  pendingStatus?: number;
  /**
   * Who may call it. Default: viewers may GET, and operators may do the rest. `admin`: devices, remote access and settings. `agent`: also a session,
   * with its own token and for its own children. `runner`: only the process that hosts a session.
   * `open`: no credential needed.
   */
  role?: Role | 'agent' | 'runner' | 'open';
  /** In bytes; default one megabyte. */
  bodyLimit?: number;
}

/** A route whose answer is JSON. */
export type JsonRoute = Route & { answer: z.ZodType };

/** Keeps the argument's types. */
export const route = <const R extends Route>(one: R): R => one;

/** For routes without a response body. */
export const NOTHING = { status: 204, answer: z.null() } as const;

export const ById = z.object({ id: z.string() });

type InputOf<T> = T extends z.ZodType ? z.input<T> : unknown;
type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type Part<Name extends string, T> = T extends z.ZodType
  ? Record<string, never> extends z.input<T>
    ? { [K in Name]?: z.input<T> }
    : { [K in Name]: z.input<T> }
  : unknown;

/** What a caller passes: only the parts the route has, optional if they can be left out. */
export type RouteCall<R extends Route> = Part<'params', R['params']> &
  Part<'query', R['query']> &
  Part<'body', R['body']>;

/** The argument is optional if every part of it is. */
export type CallArguments<R extends Route, Options = unknown> =
  Record<string, never> extends RouteCall<R> ? [given?: RouteCall<R> & Options] : [given: RouteCall<R> & Options];

/** What a caller gets. */
export type RouteAnswer<R extends JsonRoute> = z.output<R['answer']>;

/** What the server's handler gets, validated. */
export interface RouteRequest<R extends Route> {
  params: OutputOf<R['params']>;
  query: OutputOf<R['query']>;
  body: OutputOf<R['body']>;
}

/** What the server's handler returns. */
export type RouteResult<R extends Route> = InputOf<R['answer']>;
