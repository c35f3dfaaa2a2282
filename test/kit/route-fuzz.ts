import { type IncomingMessage, request } from 'node:http';
import type { Dice } from '../fuzz/dice.ts';

/** A JSON Schema as in the daemon's OpenAPI document. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
}

interface Operation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema?: Schema }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
}

export interface FuzzRoute {
  method: string;
  path: string;
  operation: Operation;
}

export interface FuzzOptions {
  url: string;
  /** An admin, a viewer, and no token. */
  tokens: readonly (string | undefined)[];
  /** Ids that exist, so that routes get past their lookup. */
  ids: readonly string[];
  dice: Dice;
}

export interface FuzzCase {
  method: string;
  path: string;
  body: string | undefined;
  token: string | undefined;
  /** It responds only when something happens, so it is cut off. */
  isHeld: boolean;
}

/** Routes that respond only when something happens, or never. */
const HELD = /stream|\/wait|request-approval|request_approval|approval-request|\/ask|rewake|\/mcp|\/commands$|\/hook/;
/** These would start clients, ring on the desktop of the person running this, listen beyond loopback, or end the run. */
const LEFT_OUT = new Set([
  'POST /api/sessions',
  'POST /api/sessions/{id}/resume',
  'POST /api/sessions/{id}/fork',
  'POST /api/notify/channels',
  'POST /api/notify/channels/{id}/test',
  'PUT /api/remote/listener',
  // these run ssh or cloudflared, and ask at addresses that the fuzzer made up
  'PUT /api/remote/tunnel',
  'POST /api/remote/check',
]);

const ANSWER_MS = 30_000;
const HELD_MS = 200;

export function routesIn(document: { paths: Record<string, Record<string, Operation>> }): FuzzRoute[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export function makeCase({ method, path, operation }: FuzzRoute, { ids, dice, tokens }: FuzzOptions): FuzzCase {
  const isLeftOut = LEFT_OUT.has(`${method} ${path}`);
  const { parameters = [], requestBody } = operation;
  const address = path.replaceAll(/\{([^}]+)\}/g, () => encode(dice.chance(0.6) ? dice.pick(ids) : text(dice)));
  const query = parameters
    .filter((one) => one.in === 'query' && dice.chance(0.6))
    .map(({ name, schema = {} }) => `${encode(name)}=${encode(asText(sample(schema, dice)))}`);
  if (dice.chance(0.1)) query.push(`${encode(text(dice))}=${encode(text(dice))}`);
  const schema = requestBody?.content?.['application/json']?.schema;
  return {
    method,
    path: address + (query.length > 0 ? `?${query.join('&')}` : ''),
    body: method === 'GET' ? undefined : bodyFor(isLeftOut ? undefined : schema, dice),
    // harmful routes are only called without a token
    token: isLeftOut ? undefined : dice.pick(tokens),
    isHeld: HELD.test(path),
  };
}

function bodyFor(schema: Schema | undefined, dice: Dice): string | undefined {
  if (dice.chance(0.05)) return undefined;
  if (dice.chance(0.05))
    return dice.pick(['{', '[]', 'null', '"x"', '1e999', '{"__proto__":{"a":1}}', '['.repeat(5000)]);
  const made = JSON.stringify(dice.chance(0.1) ? anything(dice) : sample(schema ?? {}, dice), dropWaits) ?? 'null';
  if (dice.chance(0.03)) return `${made.slice(0, -1)},"constructor":{"prototype":{"polluted":1}}}`;
  return made;
}

/** A caller may ask to wait for an hour. */
const dropWaits = (key: string, value: unknown) => (key === 'wait' || key === 'waitSeconds' ? undefined : value);

function sample(schema: Schema, dice: Dice, depth = 0): unknown {
  if (dice.chance(0.12) || depth > 6) return anything(dice);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return dice.pick(schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return sample(dice.pick(variants), dice, depth);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => sample(one, dice, depth + 1)));
  const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type;
  if (type === 'object' || schema.properties) return sampleObject(schema, dice, depth);
  if (type === 'array') return Array.from({ length: dice.below(4) }, () => sample(schema.items ?? {}, dice, depth + 1));
  if (type === 'number' || type === 'integer')
    return dice.pick([schema.minimum ?? 0, schema.maximum ?? 100, 1, -1, 2 ** 53, 0.5, dice.below(1000)]);
  if (type === 'boolean') return dice.chance(0.5);
  if (type === 'null') return null;
  return text(dice);
}

function sampleObject({ properties = {}, required = [], additionalProperties }: Schema, dice: Dice, depth: number) {
  const made: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties))
    if (required.includes(name) ? !dice.chance(0.05) : dice.chance(0.5)) made[name] = sample(schema, dice, depth + 1);
  if (typeof additionalProperties === 'object' && dice.chance(0.5))
    made[text(dice)] = sample(additionalProperties, dice, depth + 1);
  if (dice.chance(0.05)) made[text(dice)] = anything(dice);
  return made;
}

function anything(dice: Dice): unknown {
  return dice.pick<() => unknown>([
    () => null,
    () => text(dice),
    () => [],
    () => ({}),
    () => -1,
    () => Number.MAX_SAFE_INTEGER + 2,
    () => true,
    () => [[[[[[{ a: [text(dice)] }]]]]]],
    () => 'x'.repeat(20_000),
    () => ({ toString: 1, valueOf: null, length: -1 }),
  ])();
}

const TEXTS = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '/etc/passwd',
  '%2e%2e%2f',
  '\u0000',
  'a\u0000b',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '<script>alert(1)</script>',
  '\u001b]0;x\u0007',
  '\ud800',
  '🙂'.repeat(50),
  "' OR 1=1 --",
  '{{7*7}}',
  '(a+)+$',
  '[[[[',
  '*'.repeat(200),
  'a'.repeat(5000),
  '2026-01-01',
  '99999999999999999999',
  'NaN',
  'Bash',
  'allow',
  '/tmp',
  'https://127.0.0.1:1/x',
  'git status && rm -rf /',
];

const text = (dice: Dice): string => dice.pick(TEXTS);
const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

export interface FuzzAnswer {
  /** undefined: cut off while it was held. */
  status: number | undefined;
  text: string;
}

/** Rejects if it hangs. */
export function sendCase({ method, path, body, token, isHeld }: FuzzCase, url: string): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = request(
      { hostname, port, method, path: toAscii(path), headers, agent: false },
      (answer: IncomingMessage) => {
        let got = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          got += got.length < 2000 ? chunk : '';
        });
        answer.on('end', () => done({ status: answer.statusCode, text: got }));
        answer.on('error', () => done({ status: answer.statusCode, text: got }));
      },
    );
    const timer = setTimeout(
      () => {
        sent.destroy();
        if (isHeld) resolve({ status: undefined, text: '' });
        else
          reject(new Error(`no answer within ${ANSWER_MS / 1000} s: ${method} ${path} ${(body ?? '').slice(0, 300)}`));
      },
      isHeld ? HELD_MS : ANSWER_MS,
    );
    function done(answer: FuzzAnswer): void {
      clearTimeout(timer);
      resolve(answer);
    }
    // the daemon may refuse a body before it has read all of it
    sent.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === 'ECONNREFUSED') reject(new Error(`the daemon is gone before ${method} ${path}`));
      else resolve({ status: undefined, text: '' });
    });
    sent.end(body);
  });
}

/** A lone surrogate can't be written in a URL, but its bytes can. */
const encode = (value: string): string => encodeURIComponent(value.toWellFormed());

const toAscii = (path: string): string => path.replaceAll(/[^\u0021-\u007e]/g, (character) => encode(character));
