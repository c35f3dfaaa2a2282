import { isHarmlessName } from './harmless.ts';
import { maskKeys } from './key-shapes.ts';
import { looksRandom } from './looks-secret.ts';
import { MASK } from './mask.ts';
import { maskAddresses } from './mask-addresses.ts';
import { maskChildren } from './mask-children.ts';
import { maskCode } from './mask-code.ts';
import { maskCommands } from './mask-commands.ts';
import { maskLabels } from './mask-labels.ts';
import { maskNamed } from './mask-named.ts';
import { maskNear } from './mask-near.ts';
import { maskPairs, pairedName } from './mask-pairs.ts';
import { maskPrivateKeys } from './mask-private-keys.ts';
import { maskProse } from './mask-prose.ts';
import { maskRandom } from './mask-random.ts';
import { maskTables } from './mask-tables.ts';
import { isSecretName, isSecretValue } from './secret-names.ts';

const BEARER = /(?<![\w/.-])(Bearer|Basic|Token)( {1,4})([A-Za-z0-9._~+/=-]{16,})/gi;
const AUTHORIZATION = /authorization\W{0,6}$/i;
/** With any scheme or none: `Authorization: ApiKey …`. */
const CREDENTIALS =
  /(\bauthorization\\{0,3}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'`]?(?:[A-Za-z][\w-]{1,20}[ \t]{1,4})?(?:token=)?)([A-Za-z0-9._~+/=-]{12,4000})/gi;
/** Schemes that sign a request, or list what they send: `AWS4-HMAC-SHA256 Credential=…, Signature=…`, `SharedKey name:…`. */
const SIGNED =
  /(\bauthorization\\{0,3}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'`]?(?:AWS4?[\w-]{0,20}|SharedKey(?:Lite)?|[A-Za-z][\w-]{1,30}(?=[ \t]{1,4}[\w-]{1,40}=[^=\s])|acs|GOOG[\w-]{0,20})[ \t]{1,4})([^\r\n'`\\]{12,4000})/gi;
const DIGEST = /(authorization: {0,4}digest [^\n]{0,500}?\bresponse=\\{0,3}["']?)([0-9a-f]{16,})/gi;
/** `theme=dark; lang=en` */
const PREFERENCES =
  /^(?:(?:theme|lang|language|locale|color|mode|tz|timezone|consent|Path|SameSite|Domain|Max-Age)=[\w/.-]{0,12}(?:; ?|$)|(?:Secure|HttpOnly)(?:; ?|$)){1,20}$/i;
/** All cookies in a header. */
const COOKIES = /\b((?:set-)?cookie:[ \t]{0,4})([\w.-]{1,100}=[^\r\n"'`\\]{4,4000})/gi;
/** `machine HOST login NAME password SECRET`, on one line or several. */
const NETRC =
  /(\b(?:machine(?:\s|\\[nrt]){1,4}[^\s\\]{1,200}|default)(?:\s|\\[nrt]){1,20}login(?:\s|\\[nrt]){1,4}[^\s\\]{1,200}(?:\s|\\[nrt]){1,20}password(?:\s|\\[nrt]){1,4})([^\s\\]{1,500})/g;
/** `host:port:database:user:password` */
const PGPASS =
  /((?:^|["'`]|\\n)[ \t]{0,20}[^\s:"'`\\]{1,200}:(?:\d{4,5}|\*):[^\s:"'`\\]{1,100}:[^\s:"'`\\]{1,100}:)([^\s"'`\\]{4,500})(?=$|["'`\\])/gm;

/** Also in a text within a text: `"a\\nb"`. */
const LINE_BREAK = /\n|\\{1,4}(?:r\\{1,4})?n/g;

/** Replaces keys, tokens and passwords in a text. The number of lines stays the same. */
export function maskSecrets(text: string): string {
  const value = parsedJson(text);
  if (value !== undefined) return JSON.stringify(mask(value, ''));
  if (!text.includes('\\n')) return maskLines(text);
  const escaped: string[] = [];
  // as real line breaks; masking keeps their number, so that each finds its way back
  const breaks = text.replace(LINE_BREAK, (found) => {
    escaped.push(found);
    return '\n';
  });
  const masked = maskLines(breaks);
  let at = 0;
  const restored = masked.replace(/\n/g, () => escaped[at++] ?? '\n');
  return at === escaped.length ? restored : maskLines(text);
}

const MAX_JSON = 1_000_000;

/** A JSON text as programs write it: its strings are masked one by one, each as the text it is. */
function parsedJson(text: string): object | undefined {
  const isObject = text.startsWith('{"') && text.endsWith('}');
  if (!(isObject || (text.startsWith('[') && text.endsWith(']'))) || text.length > MAX_JSON) return undefined;
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function maskLines(text: string): string {
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
  if (/cookie:/i.test(masked))
    masked = masked.replace(COOKIES, (whole, before: string, cookies: string) =>
      PREFERENCES.test(cookies) ? whole : `${before}${MASK}`,
    );
  if (/login/.test(masked)) masked = masked.replace(NETRC, `$1${MASK}`);
  return maskRandom(
    maskProse(maskNear(maskChildren(maskTables(maskNamed(maskPairs(masked.replace(PGPASS, `$1${MASK}`))))))),
  );
}

/** Masks all strings in a value, including those under a secret's name. */
export function maskDeep<T>(value: T): T {
  return mask(value, '') as T;
}

function mask(value: unknown, name: string): unknown {
  if (typeof value === 'string') {
    if (isSecretName(name) && isSecretValue(value, { name, isQuoted: true })) return MASK;
    const isPublic = /^[\w+/=.-]*$/.test(value) && isHarmlessName(name);
    return isPublic ? value : maskSecrets(value);
  }
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
