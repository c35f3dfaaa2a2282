import { maskKeys } from './key-shapes.ts';
import { looksRandom } from './looks-secret.ts';
import { MASK } from './mask.ts';
import { maskAddresses } from './mask-addresses.ts';
import { maskCode } from './mask-code.ts';
import { maskCommands } from './mask-commands.ts';
import { maskLabels } from './mask-labels.ts';
import { maskNamed } from './mask-named.ts';
import { maskNear } from './mask-near.ts';
import { maskPairs, pairedName } from './mask-pairs.ts';
import { maskPrivateKeys } from './mask-private-keys.ts';
import { maskRandom } from './mask-random.ts';
import { isSecretName, isSecretValue } from './secret-names.ts';

const BEARER = /(?<![\w/.-])(Bearer|Basic|Token)( {1,4})([A-Za-z0-9._~+/=-]{16,})/gi;
const AUTHORIZATION = /authorization\W{0,6}$/i;
/** With any scheme or none: `Authorization: ApiKey …`. */
const CREDENTIALS =
  /(\bauthorization\\{0,3}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'`]?(?:[A-Za-z][\w-]{1,20}[ \t]{1,4})?(?:token=)?)([A-Za-z0-9._~+/=-]{12,4000})/gi;
/** Schemes that sign a request, or list what they send: `AWS4-HMAC-SHA256 Credential=…, Signature=…`, `SharedKey name:…`. */
const SIGNED =
  /(\bauthorization\\{0,3}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'`]?(?:AWS4?[\w-]{0,20}|SharedKey(?:Lite)?|OAuth|Hawk|Signature|HMAC[\w-]{0,20}|acs|GOOG[\w-]{0,20})[ \t]{1,4})([^\r\n'`\\]{12,4000})/gi;
const DIGEST = /(authorization: {0,4}digest [^\n]{0,500}?\bresponse=\\{0,3}["']?)([0-9a-f]{16,})/gi;
/** All cookies in a header. */
const COOKIES = /\b((?:set-)?cookie:[ \t]{0,4})([\w.-]{1,100}=[^\r\n"'`\\]{4,4000})/gi;
/** `machine HOST login NAME password SECRET`, on one line or several. */
const NETRC =
  /(\b(?:machine(?:\s|\\[nrt]){1,4}[^\s\\]{1,200}|default)(?:\s|\\[nrt]){1,20}login(?:\s|\\[nrt]){1,4}[^\s\\]{1,200}(?:\s|\\[nrt]){1,20}password(?:\s|\\[nrt]){1,4})([^\s\\]{1,500})/g;
/** `host:port:database:user:password` */
const PGPASS =
  /((?:^|["'`]|\\n)[ \t]{0,20}[^\s:"'`\\]{1,200}:(?:\d{4,5}|\*):[^\s:"'`\\]{1,100}:[^\s:"'`\\]{1,100}:)([^\s"'`\\]{4,500})(?=$|["'`\\])/gm;

/** Replaces keys, tokens and passwords in a text. The number of lines stays the same. */
export function maskSecrets(text: string): string {
  let masked = maskKeys(maskPrivateKeys(text));
  masked = masked.replace(BEARER, (whole, scheme: string, space: string, token: string, at: number, all: string) =>
    looksRandom(token) || AUTHORIZATION.test(all.slice(Math.max(0, at - 30), at)) ? `${scheme}${space}${MASK}` : whole,
  );
  if (/authorization/i.test(masked)) {
    masked = masked.replace(SIGNED, `$1${MASK}`);
    masked = masked.replace(CREDENTIALS, (whole, before: string, value: string) =>
      /\d/.test(value) ? `${before}${MASK}` : whole,
    );
  }
  masked = maskLabels(maskCode(maskCommands(maskAddresses(masked))));
  if (/digest/i.test(masked)) masked = masked.replace(DIGEST, `$1${MASK}`);
  if (/cookie:/i.test(masked)) masked = masked.replace(COOKIES, `$1${MASK}`);
  if (/login/.test(masked)) masked = masked.replace(NETRC, `$1${MASK}`);
  return maskRandom(maskNear(maskNamed(maskPairs(masked.replace(PGPASS, `$1${MASK}`)))));
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
  const pair = pairedName(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      maskSecrets(key),
      mask(item, pair !== undefined && /^value$/i.test(key) ? pair : key),
    ]),
  );
}
