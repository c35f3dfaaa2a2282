/** What stands where a secret was. */
const MASK = '[masked]';

/**
 * Keys that tell themselves by how they begin: letters that most texts do not have, looked for first, and the form. Each
 * form begins with fixed letters and goes on with one class of characters, so that it takes the time of the text, whatever
 * the text.
 */
const KEYS: [string[], RegExp][] = [
  [['sk-'], /\bsk-(?:ant|proj|svcacct|admin|or)-[\w-]{16,}/g],
  [['sk-'], /\bsk-[A-Za-z0-9]{32,}/g],
  [['_live_', '_test_'], /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g],
  [['whsec_'], /\bwhsec_[A-Za-z0-9+/=]{16,}/g],
  [['AKIA', 'ASIA', 'AROA', 'AIDA', 'ABIA', 'ACCA'], /\b(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}\b/g],
  [['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /\bgh[pousr]_[A-Za-z0-9]{20,}/g],
  [['github_pat_'], /\bgithub_pat_\w{20,}/g],
  [
    ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glcbt-', 'glft-', 'glsoat-', 'glagent-', 'glimt-'],
    /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt)-[\w-]{20,}/g,
  ],
  [['xox'], /\bxox[abeoprs]-[\w-]{10,}/g],
  [['xapp-'], /\bxapp-[\w-]{10,}/g],
  [['hooks.slack.com'], /\bhooks\.slack\.com\/services\/[\w/]{20,}/g],
  [['/api/webhooks/'], /\bdiscord(?:app)?\.com\/api\/webhooks\/[\w/-]{20,}/g],
  [['AIza'], /\bAIza[\w-]{35}/g],
  [['ya29.'], /\bya29\.[\w.-]{20,}/g],
  [['GOCSPX-'], /\bGOCSPX-[\w-]{20,}/g],
  [['npm_'], /\bnpm_[A-Za-z0-9]{30,}/g],
  [['pypi-'], /\bpypi-[\w-]{30,}/g],
  [['hf_'], /\bhf_[A-Za-z0-9]{30,}/g],
  [['SG.'], /\bSG\.[\w-]{16,64}\.[\w-]{16,}/g],
  [['key-'], /\bkey-[0-9a-f]{32}\b/g],
  [['dop_v1_'], /\bdop_v1_[0-9a-f]{40,}/g],
  [['dckr_pat_'], /\bdckr_pat_[\w-]{20,}/g],
  [['lin_api_'], /\blin_api_[A-Za-z0-9]{20,}/g],
  [['ntn_'], /\bntn_[A-Za-z0-9]{30,}/g],
  [['sntrys_'], /\bsntrys_[\w.=+/-]{30,}/g],
  [['phc_'], /\bphc_[A-Za-z0-9]{30,}/g],
  [['hvs.', 'hvb.'], /\bhv[sb]\.[\w-]{20,}/g],
  [['AGE-SECRET-KEY-1'], /\bAGE-SECRET-KEY-1[A-Z0-9]{30,}/g],
  [[':AA'], /\b\d{8,10}:AA[\w-]{33}\b/g],
  [['xai-'], /\bxai-[A-Za-z0-9]{40,}/g],
  [['gsk_'], /\bgsk_[A-Za-z0-9]{40,}/g],
  [['eyJ'], /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
];

const BEARER = /\b(Bearer|Basic|Token)( {1,4})([A-Za-z0-9._~+/=-]{16,})/gi;
const AUTHORIZATION = /authorization\W{0,6}$/i;
const URL_PASSWORD = /(:\/\/[^\s/:@'"`<>]{0,200}:)([^\s/@'"`<>]{1,500})(?=@)/g;
/** `curl -u name:password` */
const USER_PASSWORD = /([ \t](?:-u[ \t]{0,4}|--user[ \t=]{1,4})["']?[^\s:"'`]{1,200}:)([^\s"'`]{1,500})/g;
/** What a browser is known by: all cookies of a header. */
const COOKIES = /\b((?:set-)?cookie:[ \t]{0,4})([\w.-]{1,100}=[^\r\n"'`\\]{4,4000})/gi;
/** Words in the names of secrets, and in many other names. */
const WORD = /secret|pass|pwd|token|key|credential|bearer|string/gi;
const REST_OF_NAME = /[\w.-]{0,80}/y;
/** Between a name and its value: `NAME=`, `name: `, `"name": "`. */
const ASSIGNS = /(?:\\?["'`])?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}(\\?["'`])?/y;
/** `--name value` */
const GIVES = /[ \t]{1,4}(["'`])?/y;
const VALUE = /[^\s"'`,;&|<>(){}[\]\\]{4,2000}/y;
/** Up to the quote that it began with, whatever is escaped in it. */
const QUOTED_VALUES: Record<string, RegExp> = {
  '"': /(?:[^"\r\n\\]|\\.){4,2000}/y,
  "'": /(?:[^'\r\n\\]|\\.){4,2000}/y,
  '`': /(?:[^`\r\n\\]|\\.){4,2000}/y,
};
/** In a text within a text the quotes themselves are escaped. */
const ESCAPED_VALUE = /[^"'`\r\n\\]{4,2000}/y;

/** Text without what opens doors: keys, tokens, passwords. It has as many lines as before. */
export function maskSecrets(text: string): string {
  let masked = maskPrivateKeys(text);
  for (const [letters, form] of KEYS)
    if (letters.some((begin) => text.includes(begin))) masked = masked.replace(form, MASK);
  masked = masked.replace(BEARER, (whole, scheme: string, space: string, token: string, at: number, all: string) =>
    looksRandom(token) || AUTHORIZATION.test(all.slice(Math.max(0, at - 30), at)) ? `${scheme}${space}${MASK}` : whole,
  );
  if (masked.includes('://'))
    masked = masked.replace(URL_PASSWORD, (whole, before: string, password: string) =>
      isPlaceholder(password) ? whole : `${before}${MASK}`,
    );
  if (masked.includes('curl'))
    masked = masked.replace(USER_PASSWORD, (whole, before: string, password: string) =>
      isPlaceholder(password) ? whole : `${before}${MASK}`,
    );
  if (/cookie:/i.test(masked)) masked = masked.replace(COOKIES, `$1${MASK}`);
  return maskNamed(masked);
}

function maskNamed(text: string): string {
  let masked = '';
  let done = 0;
  WORD.lastIndex = 0;
  for (let word = WORD.exec(text); word; word = WORD.exec(text)) {
    const end = endOf(REST_OF_NAME, text, WORD.lastIndex) ?? WORD.lastIndex;
    WORD.lastIndex = end;
    const named = readNamed(text, word.index, end);
    if (!named || named.from < done) continue;
    masked += text.slice(done, named.from) + MASK;
    done = named.to;
    WORD.lastIndex = done;
  }
  return masked + text.slice(done);
}

/** Where the value is that this name has, if it is a secret's name and the value may be one. */
function readNamed(text: string, word: number, end: number): { from: number; to: number } | undefined {
  ASSIGNS.lastIndex = end;
  const assigns = ASSIGNS.exec(text);
  const name = text.slice(startOfName(text, word), end);
  GIVES.lastIndex = end;
  const found = assigns ?? (name.startsWith('--') ? GIVES.exec(text) : null);
  if (!found || !isSecretName(name)) return undefined;
  const quote = found[1];
  const isQuoted = quote !== undefined;
  const from = end + found[0].length;
  const to = endOf(isQuoted ? (QUOTED_VALUES[quote] ?? ESCAPED_VALUE) : VALUE, text, from);
  if (to === undefined || !isSecretValue(text.slice(from, to), { name, isQuoted })) return undefined;
  // what is called gives it, and is not it
  return !isQuoted && text[to] === '(' ? undefined : { from, to };
}

function startOfName(text: string, word: number): number {
  let start = word;
  while (start > 0 && word - start < 80 && /[\w.-]/.test(text[start - 1]!)) start--;
  return start;
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The same for all strings in a value; a string under a secret's name is one. */
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

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** The longest keys have some 100 lines; one that was cut off has no end. */
const MAX_KEY = 16_384;

/** Line by line, so that a diff keeps its lines. */
function maskPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  let masked = '';
  let done = 0;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin; begin = BEGIN.exec(text)) {
    const from = BEGIN.lastIndex;
    END.lastIndex = from;
    const end = END.exec(text.slice(0, from + MAX_KEY));
    const to = end ? end.index : Math.min(text.length, from + MAX_KEY);
    masked += text.slice(done, from) + text.slice(from, to).replace(/[^\r\n]+/g, MASK);
    done = to;
    BEGIN.lastIndex = to;
  }
  return masked + text.slice(done);
}

const SECRET_WORDS = new Set([
  'secret',
  'secrets',
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'token',
  'apikey',
  'credential',
  'credentials',
  'bearer',
  'authtoken',
]);
const SECRET_ENDINGS = [
  'password',
  'passwd',
  'apikey',
  'authtoken',
  'accesstoken',
  'secretkey',
  'privatekey',
  'accesskey',
  'connectionstring',
];
const KEY_KINDS = new Set([
  'api',
  'access',
  'private',
  'secret',
  'auth',
  'encryption',
  'signing',
  'master',
  'account',
  'storage',
  'license',
  'service',
  'shared',
  'hmac',
  'jwt',
  'app',
  'role',
  'deploy',
  'webhook',
  'session',
]);
/** `DB_PASS`; written otherwise, `pass` is mostly what a test did. */
const PASS_NAME = /^[A-Z0-9_]{1,80}_PASS$/;

/** By the words of the name: `GITHUB_TOKEN` and `clientSecret` are, `max_tokens` and `tokenizer` are not. */
function isSecretName(name: string): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (words.length === 0) return false;
  if (PASS_NAME.test(name)) return true;
  if (words.some((word) => SECRET_WORDS.has(word))) return !isCount(words);
  if (SECRET_ENDINGS.some((ending) => words.join('').endsWith(ending))) return true;
  return words.some((word, index) => word === 'key' && KEY_KINDS.has(words[index - 1] ?? ''));
}

/** `token_count`, `password_length`, `secret_name`: about a secret, not one. */
function isCount(words: string[]): boolean {
  const last = words.at(-1) ?? '';
  return [
    'count',
    'limit',
    'length',
    'type',
    'name',
    'id',
    'url',
    'uri',
    'path',
    'file',
    'field',
    'usage',
    'size',
    'ttl',
    'expiry',
    'expires',
    'policy',
    'budget',
    'endpoint',
  ].includes(last);
}

const PLAIN_WORDS = new Set([
  'string',
  'number',
  'boolean',
  'undefined',
  'null',
  'none',
  'true',
  'false',
  'unknown',
  'never',
  'object',
  'bytes',
  'required',
  'optional',
  'masked',
  'redacted',
  'hidden',
  'changeme',
  'example',
  'password',
  'secret',
  'token',
  'str',
  'text',
  'bool',
  'void',
  'self',
]);

function isSecretValue(value: string, { name, isQuoted }: { name: string; isQuoted: boolean }): boolean {
  const word = value.replace(/[.!?]$/, '');
  if (isPlaceholder(word) || PLAIN_WORDS.has(word.toLowerCase())) return false;
  // so many tokens; but a password may be a number
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(word) && !/pass|pwd|secret/i.test(name)) return false;
  // code that reads it from somewhere: process.env.TOKEN, config.token, this.#token
  if (!isQuoted && /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)+$/.test(word)) return false;
  return word.length >= 4;
}

/** What stands where a value is to come: `$NAME`, `%NAME%`, `********`, `<your password>`, `{{ name }}`. */
const PLACEHOLDER = /^(?:\$[A-Za-z_]\w*|\$[{(].*|%\w+%|[*.…•x#-]{3,}|<.*>|\{.*|\[masked.*)$/i;

function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Words are not: `Token refreshing`, `basic authentication`. */
function looksRandom(token: string): boolean {
  return /\d/.test(token) || /[a-z][A-Z]/.test(token) || /[+/=_~]/.test(token);
}
