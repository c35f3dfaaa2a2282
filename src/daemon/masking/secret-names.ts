import { surpriseOf } from './gibberish.ts';
import { looksIssued, looksRandom, looksSecret, looksTyped } from './looks-secret.ts';
import { isPlaceholder } from './mask.ts';

const SECRET_WORDS = new Set([
  'secret',
  'secrets',
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'passwort',
  'kennwort',
  'contrasena',
  'senha',
  'pwd',
  'token',
  'apikey',
  'credential',
  'credentials',
  'bearer',
  'authtoken',
  'psk',
  'mnemonic',
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
  'clientkeydata',
  'seedphrase',
  'authkey',
  'keymaterial',
  'presharedkey',
  'passphrase',
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
  'application',
  'unseal',
  'recovery',
  'client',
  'server',
]);
/** `DB_PASS`, `become_pass`; alone, `pass` is usually what a test did. */
const PASS_NAME =
  /^(?!BYPASS|COMPASS)(?:[A-Z0-9_]{1,80}_(?:PASS|PW)|[A-Z]{2,8}PASS|[a-z0-9_.]{0,60}(?:become|sudo|ssh|smtp|mail|ftp|db|mysql|redis|admin|root|user)_pass)$/;
/** `dbpass`, `remotepass` */
const OWN_PASS =
  /^(?:db|user|root|admin|smtp|mail|ftp|my|pg|remote|sql|ssh|http|proxy|key|store|auth|ldap|imap|pop|wifi|vpn)pass$/;
/** Words at the end of a name that is about a secret without being one: `token_count`, `password_length`, `secret_name`. */
const ABOUT = new Set([
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
]);

/** `nextPageToken`, `continuation_token`: where a list goes on. */
const PAGING = new Set(['page', 'next', 'continuation', 'cursor', 'sync', 'pagination', 'websocket']);

/** Decides by the words in the name: `GITHUB_TOKEN` and `clientSecret` are secrets, `max_tokens` and `tokenizer` aren't. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (words.length === 0) return false;
  if (OWN_PASS.test(words.at(-1)!)) return true;
  if (PASS_NAME.test(name.replace(/^-+/, '')) || isPassName(words) || isSecretId(words) || isSessionName(name))
    return true;
  if (words.some((word) => PAGING.has(word)) || /^(?:hashed|hash|sha\d*|encrypted|masked|redacted)$/.test(words[0]!))
    return false;
  if (words.some((word) => SECRET_WORDS.has(word))) return !ABOUT.has(words.at(-1) ?? '');
  if (SECRET_ENDINGS.some((ending) => words.join('').endsWith(ending))) return true;
  if (/^BUNDLE_[A-Z0-9]+(?:__[A-Z0-9]+)+$/.test(name)) return true;
  if (isAuthName(words) || isCookieName(words) || isIssuedName(words)) return true;
  if (isAccessTokenName(name)) return true;
  if (isKeyName(words)) return true;
  return words.some((word, index) => word === 'key' && KEY_KINDS.has(words[index - 1] ?? ''));
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** `mail.smtp.pass`, `dbPass`; but also `first_pass` and `render-pass`, so the value has to look like a password. */
function isPassName(words: string[]): boolean {
  return words.at(-1) === 'pass' || words.at(-1) === 'pw' || /[a-z]PW$/.test(words.at(-1) ?? '');
}

/** `secret_id` of Vault's AppRole; elsewhere that is only the name of a secret. */
function isSecretId(words: string[]): boolean {
  return words.length > 1 && words.at(-1) === 'id' && words.at(-2) === 'secret';
}

/** `BW_SESSION`: the key to an open vault. */
function isSessionName(name: string): boolean {
  return /^[A-Z0-9]{2,20}_SESSION$/.test(name);
}

/** npm's `_auth` and Docker's `auth` contain `name:password` in Base64. */
function isAuthName(words: string[]): boolean {
  return words.length === 1 && words[0] === 'auth';
}

/** `GITHUB_PAT`: a personal access token. In lower case, `pat` is short for pattern. */
function isAccessTokenName(name: string): boolean {
  return /^[A-Z0-9_]{0,80}_PAT$/.test(name);
}

/** `tls.key`, `--key`: only the value shows what kind of key it is. */
function isKeyName(words: string[]): boolean {
  return (
    words.at(-1) === 'key' &&
    !words.some((word) => /^(public|primary|foreign|cache|partition|sort|storage|idempotency|object|sort)$/.test(word))
  );
}

/** `SALT`, `seed`, `license`: only what somebody issued is a secret. */
function isIssuedName(words: string[]): boolean {
  return /^(?:salt|pepper|jwt|seed|licen[sc]e)$/.test(words.at(-1)!) || /(?:recovery|backup)code$/.test(words.join(''));
}

function isCookieName(words: string[]): boolean {
  return words.at(-1) === 'cookie' || words.at(-1) === 'cookies';
}

const PLAIN_WORDS = new Set([
  'todo',
  'tbd',
  'fixme',
  'unset',
  'empty',
  'test',
  'dummy',
  'fake',
  'default',
  'include',
  'same-origin',
  'shown',
  'wrong',
  'invalid',
  'async',
  'always',
  'typeof',
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
  'await',
  'yield',
  'write',
  'read',
  'omit',
]);

/** `/home/me/.ssh/id_rsa`, `C:\\keys\\a.pem`; Base64 with slashes has no words between them. */
function isPath(value: string): boolean {
  if (!/^(?:[~.]{0,2}|[A-Za-z]:)[\\/][\w.@-]+(?:[\\/][\w.@-]+)+$/.test(value)) return false;
  return surpriseOf(value) < 4.6;
}

/** Whether a value under such a name may be the secret itself, and not a type, a placeholder or code that reads it. */
export function isSecretValue(value: string, { name, isQuoted }: { name: string; isQuoted: boolean }): boolean {
  const word = value.replace(/[.!?]$/, '');
  if (isPlaceholder(value) || isPlaceholder(word) || PLAIN_WORDS.has(word.toLowerCase())) return false;
  if (/^![A-Za-z]+$/.test(word) || /^\d+(?::\d+)+\)?$/.test(word) || isPath(word)) return false;
  const words = wordsOf(name);
  if (isPassName(words) && !PASS_NAME.test(name.replace(/^-+/, '')))
    return (
      looksTyped(value) ||
      (isQuoted && /^(?=.*[\d!#$%^&*+~])\S{6,64}$/.test(value)) ||
      (isQuoted && OWN_PASS.test(words.slice(-2).join('')) && /^\S{6,64}$/.test(value))
    );
  if (isSecretId(words) || isSessionName(name)) return looksIssued(word);
  if (isIssuedName(words) && !words.some((each) => SECRET_WORDS.has(each))) return looksIssued(word);
  if (isAccessTokenName(name)) return word.length >= 12 && looksRandom(word);
  if (isKeyName(words) && !KEY_KINDS.has(words.at(-2) ?? '')) {
    return (
      looksSecret(word) ||
      (words.length > 1 && looksIssued(word)) ||
      (isQuoted && /^(?=(?:\D*\d){4})(?=(?:[^a-z]*[a-z]){4})(?!.*[a-z]{6})[\w-]{16,}$/i.test(word))
    );
  }
  if (isAuthName(words)) return /^[A-Za-z0-9+/]{12,}={0,2}$/.test(word) && looksRandom(word);
  if (isCookieName(words) && !words.some((each) => SECRET_WORDS.has(each))) return /^[\w.-]{1,100}=\S{6,}/.test(word);
  // A number of tokens; but a password may be a number.
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(word) && !/pass|pwd|secret/i.test(name)) return false;
  // what is typed has spaces, what is issued has none
  if (/\s/.test(word) && !/pass|pwd|phrase|mnemonic|seed|secret/i.test(name) && !word.split(/\s+/).some(looksIssued))
    return false;
  // `password: SecretStr`, `token: InjectionToken<T>`
  if (
    !isQuoted &&
    /^[A-Z][A-Za-z]*(?:Str|String|Type|Token|Key|Secret|Password|Options|Input|Field|Error|Provider)$/.test(word)
  )
    return false;
  // Code that reads it from elsewhere: process.env.TOKEN, config.token, this.#token.
  if (!isQuoted && /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)+$/.test(word) && !/(?:\d\D*){3}/.test(word))
    return false;
  return word.length >= 4;
}
