import { maskKeys } from './key-shapes.ts';
import { looksRandom, MASK } from './mask.ts';
import { maskAddresses } from './mask-addresses.ts';
import { maskCommands } from './mask-commands.ts';
import { maskNamed } from './mask-named.ts';
import { maskPrivateKeys } from './mask-private-keys.ts';
import { isSecretName, isSecretValue } from './secret-names.ts';

const BEARER = /\b(Bearer|Basic|Token)( {1,4})([A-Za-z0-9._~+/=-]{16,})/gi;
const AUTHORIZATION = /authorization\W{0,6}$/i;
const DIGEST = /(authorization: {0,4}digest [^\n]{0,500}?\bresponse=\\{0,3}["']?)([0-9a-f]{16,})/gi;
/** All cookies of a header. */
const COOKIES = /\b((?:set-)?cookie:[ \t]{0,4})([\w.-]{1,100}=[^\r\n"'`\\]{4,4000})/gi;
/** `machine HOST login NAME password SECRET`, on one line or several. */
const NETRC = /(\bmachine\s{1,4}\S{1,200}\s{1,20}login\s{1,4}\S{1,200}\s{1,20}password\s{1,4})(\S{1,500})/g;
/** `host:port:database:user:password` */
const PGPASS =
  /((?:^|["'`]|\\n)[ \t]{0,20}[^\s:"'`\\]{1,200}:(?:\d{4,5}|\*):[^\s:"'`\\]{1,100}:[^\s:"'`\\]{1,100}:)([^\s"'`\\]{4,500})(?=$|["'`\\])/gm;

/** Replaces keys, tokens and passwords in a text. The text keeps its number of lines. */
export function maskSecrets(text: string): string {
  let masked = maskKeys(maskPrivateKeys(text));
  masked = masked.replace(BEARER, (whole, scheme: string, space: string, token: string, at: number, all: string) =>
    looksRandom(token) || AUTHORIZATION.test(all.slice(Math.max(0, at - 30), at)) ? `${scheme}${space}${MASK}` : whole,
  );
  masked = maskCommands(maskAddresses(masked));
  if (/digest/i.test(masked)) masked = masked.replace(DIGEST, `$1${MASK}`);
  if (/cookie:/i.test(masked)) masked = masked.replace(COOKIES, `$1${MASK}`);
  if (masked.includes('machine')) masked = masked.replace(NETRC, `$1${MASK}`);
  return maskNamed(masked.replace(PGPASS, `$1${MASK}`));
}

/** Masks all strings in a value, including those under a secret's name. */
export function maskDeep<T>(value: T): T {
  return mask(value, '') as T;
}

function mask(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return isSecretName(name) && isSecretValue(value, { name, isQuoted: true }) ? MASK : maskSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mask(item, name));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskSecrets(key), mask(item, key)]));
}
