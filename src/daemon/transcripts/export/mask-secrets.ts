/** What stands where a secret was. */
const MASK = '[masked]';

/**
 * Keys that tell themselves by how they begin. Each pattern begins with fixed letters and goes on with one class of
 * characters, so that it takes the time of the text, whatever the text.
 */
const KEYS = [
  /\bsk-(?:ant|proj|svcacct|admin|or)-[\w-]{16,}/g,
  /\bsk-[A-Za-z0-9]{32,}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/g,
  /\b(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt)-[\w-]{20,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\bxapp-[\w-]{10,}/g,
  /\bhooks\.slack\.com\/services\/[\w/]{20,}/g,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/[\w/-]{20,}/g,
  /\bAIza[\w-]{35}/g,
  /\bya29\.[\w.-]{20,}/g,
  /\bGOCSPX-[\w-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[\w-]{30,}/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\bSG\.[\w-]{16,64}\.[\w-]{16,}/g,
  /\bkey-[0-9a-f]{32}\b/g,
  /\bdop_v1_[0-9a-f]{40,}/g,
  /\bdckr_pat_[\w-]{20,}/g,
  /\blin_api_[A-Za-z0-9]{20,}/g,
  /\bntn_[A-Za-z0-9]{30,}/g,
  /\bsntrys_[\w.=+/-]{30,}/g,
  /\bphc_[A-Za-z0-9]{30,}/g,
  /\bhv[sb]\.[\w-]{20,}/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{30,}/g,
  /\b\d{8,10}:AA[\w-]{33}\b/g,
  /\bxai-[A-Za-z0-9]{40,}/g,
  /\bgsk_[A-Za-z0-9]{40,}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
];

const BEARER = /\b(Bearer|Basic|Token)( {1,4})([A-Za-z0-9._~+/=-]{16,})/gi;
const URL_PASSWORD = /(:\/\/[^\s/:@'"`<>]{0,200}:)([^\s/@'"`<>]{1,500})(?=@)/g;
/** What stands before a value: `NAME=`, `name: `, `"name": "`, `--name `. */
const NAMING =
  /(?<![\w.-])-{0,2}[A-Za-z_][\w.-]{0,80}(?:\\?["'`])?(?:[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}|(?<=--[\w-]{1,80})[ \t]{1,4})(\\?["'`])?/g;
const VALUE = /[^\s"'`,;&|<>(){}[\]\\]{4,2000}/y;
const QUOTED_VALUE = /[^"'`\r\n\\]{4,2000}/y;

/** Text without what opens doors: keys, tokens, passwords. It has as many lines as before. */
export function maskSecrets(text: string): string {
  let masked = maskPrivateKeys(text);
  for (const key of KEYS) masked = masked.replace(key, MASK);
  masked = masked
    .replace(BEARER, (whole, scheme: string, space: string, token: string) =>
      looksRandom(token) ? `${scheme}${space}${MASK}` : whole,
    )
    .replace(URL_PASSWORD, (whole, before: string, password: string) =>
      isPlaceholder(password) ? whole : `${before}${MASK}`,
    );
  return maskNamed(masked);
}

function maskNamed(text: string): string {
  let masked = '';
  let done = 0;
  NAMING.lastIndex = 0;
  for (let naming = NAMING.exec(text); naming; naming = NAMING.exec(text)) {
    if (!isSecretName(naming[0])) continue;
    const isQuoted = naming[1] !== undefined;
    const pattern = isQuoted ? QUOTED_VALUE : VALUE;
    pattern.lastIndex = NAMING.lastIndex;
    const value = pattern.exec(text)?.[0];
    // what is called gives it, and is not it
    if (!value || !isSecretValue(value, isQuoted) || (!isQuoted && text[pattern.lastIndex] === '(')) continue;
    masked += text.slice(done, NAMING.lastIndex) + MASK;
    done = pattern.lastIndex;
    NAMING.lastIndex = done;
  }
  return masked + text.slice(done);
}

/** The same for all strings in a value; a string under a secret's name is one. */
export function maskDeep<T>(value: T): T {
  return mask(value, '') as T;
}

function mask(value: unknown, name: string): unknown {
  if (typeof value === 'string') return isSecretName(name) && isSecretValue(value, true) ? MASK : maskSecrets(value);
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
]);

/** By the words of the name: `GITHUB_TOKEN` and `clientSecret` are, `max_tokens` and `tokenizer` are not. */
function isSecretName(name: string): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (words.length === 0) return false;
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

function isSecretValue(value: string, isQuoted: boolean): boolean {
  const word = value.replace(/[.!?]$/, '');
  if (isPlaceholder(word) || PLAIN_WORDS.has(word.toLowerCase())) return false;
  if (/^\d{1,9}$/.test(word) || /^[-+]?\d+\.\d+$/.test(word)) return false;
  // code that reads it from somewhere: process.env.TOKEN, config.token, this.#token
  if (!isQuoted && /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)+$/.test(word)) return false;
  return word.length >= 4;
}

function isPlaceholder(value: string): boolean {
  return /^(?:[$%*.…#x]|<|\{|\[masked)/i.test(value) && !/^[x][A-Za-z0-9]{0,200}\d/.test(value);
}

/** Words are not: `Token refreshing`, `basic authentication`. */
function looksRandom(token: string): boolean {
  return /\d/.test(token) || /[a-z][A-Z]/.test(token) || /[+/=_~]/.test(token);
}
