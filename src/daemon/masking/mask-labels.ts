import { isGibberish } from './gibberish.ts';
import {
  isPassphrase,
  isPlainPassword,
  looksIssued,
  looksMade,
  looksSecret,
  looksTyped,
  looksWeak,
} from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';

const VALUE = `([^\\s"'\`<>,;|\\\\]{4,500})`;
const BEFORE_VALUE = `\\*{0,2}[ \\t]{0,4}[:=]\\*{0,2}[ \\t]{0,4}\\\\{0,3}["'\`]?`;

/** Labels with spaces that people and programs write before a secret: what must be in the text, and the full pattern. */
const LABELS: [needs: RegExp, label: RegExp, isOne: (value: string) => boolean][] = [
  // `Unseal Key 1: …`, `Recovery key (base64): …`
  [
    /key/i,
    new RegExp(
      `(\\b(?:unseal|recovery|encryption|private|secret|access|api|license|signing|master|storage|account|service|stream|activation|product)[ _-]keys?(?:[ \t]content)?(?:[ \\t]#?\\d{1,2})?(?:[ \\t]\\([^)\\n]{0,40}\\))?${BEFORE_VALUE})${VALUE}`,
      'gi',
    ),
    (value) => looksIssued(value) || looksMade(value),
  ],
  // `TOTP secret (base32): …`, `Key Content : …`
  [
    /(?:secret|token|key content)/i,
    new RegExp(
      `(\\b(?:secret|token|key[ ]content|totp|otp[ ]seed)(?:[ \\t]\\([^)\\n]{0,40}\\))?[ \\t]{0,16}${BEFORE_VALUE})${VALUE}`,
      'gi',
    ),
    (value) =>
      looksIssued(value) ||
      looksTyped(value) ||
      /^(?=.*\d)[A-Z2-7]{16,}$/.test(value) ||
      (/_|-/.test(value) && looksWeak(value)),
  ],
  // `Password for user app: …`, `Temporary password (expires soon) = …`
  [
    /passw|passcode|passphrase/i,
    new RegExp(
      `(\\b(?:password|passwd|passcode|passphrase)[ \\t](?:for|of|to)[ \\t][^\\n:="']{1,60}["']?${BEFORE_VALUE})${VALUE}`,
      'gi',
    ),
    (value) => /\d/.test(value) && !/^\d{1,3}$/.test(value),
  ],
  // `Your verification code is 861098`, `One-time code: 123 456`
  [
    /code|pin\b|otp/i,
    /(\b(?:verification|confirmation|security|one-time|login|recovery|backup|2fa|mfa|authentication|device|user|otp)[ -](?:code|pin|passcode)s?[ \t]{0,3}(?:is|was|:|=)[ \t]{0,3}["'`]?)(\d{3}[ -]?\d{3,5}|[A-Z0-9]{4,6}-[A-Z0-9]{4,6})\b/gi,
    () => true,
  ],
  [
    /(?:recovery|backup) code/i,
    /(\b(?:recovery|backup) codes?[ \t:]{1,4}["'`]?)([a-z0-9]{4,6}-[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){0,4})\b/gi,
    (value) => /\d/.test(value) || isGibberish(value),
  ],
  // the bytes of a key: `[12,244,…]`
  [/secret|private|key|wallet|solana/i, /(\[)((?:\d{1,3}, ?){31,63}\d{1,3})(?=\])/g, () => true],
  // `seed phrase: legal winner thank …`
  [
    /phrase|mnemonic|seed|words/i,
    /(\b(?:seed|recovery|mnemonic|secret|backup)[ _-]?(?:phrase|words?)?(?:[ ](?:is|are|was))?\W{1,4})((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b/gi,
    () => true,
  ],
  // twelve words or more in quotes that make no sentence
  [
    /["'`][a-z]{3,8}(?: [a-z]{3,8}){11}/,
    /(["'`])((?:(?!the\b|and\b|for\b|that\b|with\b|from\b|are\b|was\b|not\b|you\b|but\b|has\b|have\b|its\b|when\b|which\b|test\b|build\b|list\b)[a-z]{3,8} ){11,23}[a-z]{3,8})(?=["'`])/g,
    () => true,
  ],
  // `pin: 4821`
  [
    /\bpin\b/i,
    /(\bpin(?:[ _-]?code)?\\{0,3}["']?(?:[ \t]{0,3}[:=]|(?:[ ](?:for|of|to)[ ][\w ]{1,30})?[ ](?:is|was))[ \t]{0,3}\\{0,3}["']?)(\d{4,8})\b/gi,
    () => true,
  ],
  // `"cardNumber": "4242 4242 4242 4242"`
  [
    /card|\bpan\b/i,
    /(\b(?:card|credit|cc|pan)[\w -]{0,20}\\{0,3}["']?[ \t]{0,3}[:=][ \t]{0,3}\\{0,3}["']?)(\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,7})\b/gi,
    () => true,
  ],
  [/ntlm|\blm\b|nthash/i, /(\b(?:ntlm|nt|lm)[ _-]?hash\W{1,4})([0-9a-f]{32}(?::[0-9a-f]{32})?)/gi, () => true],
  // `use bob/swordfish77 to log in`
  [
    /(?:log|sign)[ -]?in/i,
    /(\b[\w.@-]{2,40}[ \t]?\/[ \t]?)([^\s"'`/:]{6,64})(?=[ \t](?:to|for)[ \t][^\n]{0,20}(?:log|sign)[ -]?in)/gi,
    looksWeak,
  ],
  // `--auth name:…`, `-creds name:…`
  [
    /[ \t]--?(?:auth|[\w-]{0,20}creds?|credentials|userpass|login|basic-auth|[\w-]{0,20}user)\b/,
    /([ \t]--?(?:auth|[\w-]{0,20}creds?|credentials|userpass|login|basic-auth|[\w-]{0,20}user)[ \t=]{1,4}\\{0,3}["']?[\w.@-]{1,100}:)([^\s"'`\\]{4,500})/g,
    (value) => looksSecret(value) || looksTyped(value),
  ],
  // `-u name:…`, `-a name:…`, in any program
  [
    /[ \t]-[auU][ \t=]/,
    /([ \t]-[auU][ \t=]{1,2}\\{0,3}["']?[\w.@-]{1,64}:)([^\s"'`\\:/]{4,200})(?=$|[\s"'`\\])/g,
    (value) => looksTyped(value) || looksWeak(value) || looksSecret(value),
  ],
  // headers that only their vendor knows: `x-honeycomb-team: …`
  [
    /\bx-/i,
    /(\bx-(?![\w-]{0,60}(?:id|trace|hash|etag|digest|sha\d*|checksum|cache|version)\b)[\w-]{2,60}\\{0,3}["'`]?[ \t]{0,4}[:,][ \t]{0,4}\\{0,3}["'`]?)([\w.~+/-]{20,500}={0,2})/gi,
    looksSecret,
  ],
  // `login with admin / …`, `credentials: admin/…`
  [
    /log ?in|sign in|creds?\b|credential|username/i,
    /(\b(?:log ?in|sign in|creds?|credentials?|user(?:name)?)\b[^\n]{0,30}?[\w.@-]{2,40}[ \t]{0,2}[/:][ \t]{0,2}["'`]?)([^\s"'`/:]{6,64})(?=$|[\s"'`).,])/gim,
    (value) => looksTyped(value) || /^[a-z]{4,}\d{1,4}[!#$%]?$/i.test(value),
  ],
  // `NEO4J_AUTH=neo4j/…`, `BASIC_AUTH: name:…`
  [
    /auth/i,
    /((?:auth|credentials?|creds|login|userpass)\\{0,3}["']?[ \t]{0,3}[:=][ \t]{0,3}\\{0,3}["']?[\w.@-]{2,40}[/:])([^\s"'`/:,;\\]{6,64})(?=$|[\s"'`,;\\])/gi,
    (value) => looksTyped(value) || looksWeak(value) || looksSecret(value),
  ],
  // `AUTH …` of Redis, `user NAME …` of FTP, on its own line
  [
    /\bAUTH |^user /m,
    /((?:^|>[ \t]{0,2})(?:AUTH[ \t]{1,2}(?:\w{1,40}[ \t]{1,2})?|user[ \t]{1,2}[\w.@-]{1,60}[ \t]{1,2}))([^\s"'`]{6,200})(?=$|\s)/gm,
    (value) => looksTyped(value) || looksWeak(value),
  ],
  // `| admin | Winter2026! | password for staging |`
  [/\|[^\n]{0,200}passw/i, /(\|[ \t]{0,4})([^\s|`]{6,64})(?=[ \t]{0,4}\|[^\n]{0,80}passw)/gi, looksTyped],
  // `"name" * "…"`, in pap-secrets and chap-secrets
  [
    /[ \t]\*[ \t]/,
    /(^[ \t]{0,8}\\{0,3}["']?[\w.@*-]{1,64}\\{0,3}["']?[ \t]{1,8}\*[ \t]{1,8}\\{0,3}["']?)([^\s"'`\\*]{6,64})(?=\\{0,3}["']?(?:[ \t]|$))/gm,
    (value) => looksTyped(value) || looksWeak(value),
  ],
  // `<td>Password</td><td>…</td>`, `<b>Password:</b> …`, `<input type="password" value="…">`
  [
    /<\/\w/,
    /((?:passw(?:or)?d|passphrase|pwd|token|secret|api[ _-]?key)[ \t]{0,3}:?[ \t]{0,3}<\/\w{1,10}>[ \t]{0,3}:?[ \t]{0,3}(?:<\w{1,10}>)?[ \t]{0,3})([^\s<>"'`]{4,200})/gi,
    (value) => looksTyped(value) || looksWeak(value) || looksIssued(value) || isPlainPassword(value),
  ],
  [
    /<input/i,
    /(<input\b[^<>\n]{0,120}?(?:passw|token|secret)[^<>\n]{0,120}?\bvalue=\\{0,3}["'])([^"'<>\n\\]{4,500})/gi,
    (value) => !/^(?:password|true|false|submit|on|off)$/i.test(value),
  ],
  // `admin:…`, on a line with nothing else
  [
    /^[ \t]{0,8}(?:admin|root|postgres|sa|guest|demo|test|user|dev)[a-z]{0,10}[:/]/im,
    /(^[ \t]{0,8}(?:admin|root|administrator|postgres|sa|guest|demo|test|user|dev)[:/])([^\s"'`/:]{6,64})(?=[ \t]{0,4}$)/gim,
    looksTyped,
  ],
  // `openssl passwd -6 …`, `mkpasswd -m sha-512 …`
  [
    /passwd[ \t]-|mkpasswd/,
    /(\b(?:openssl[ \t]passwd|mkpasswd)(?:[ \t]{1,2}-{1,2}\w{1,12}(?:[ \t=](?:sha-\d{3}|bcrypt|md5|yescrypt))?){0,3}[ \t]{1,2}\\{0,3}["']?)((?!-)[^\s"'`\\]{5,200})/g,
    () => true,
  ],
  // `[smtp.example.com]:587 name@example.com:…`
  [/\]:\d/, /(\]:\d{2,5}[ \t]{1,20}\S{1,100}@[\w.-]{1,100}:)([^\s"'`\\]{4,200})/g, () => true],
  // `: PSK "…"`, `name : EAP "…"`
  [
    /:[ \t]{0,8}(?:PSK|EAP|XAUTH|NTLM)/,
    /(:[ \t]{0,8}(?:PSK|EAP|XAUTH|NTLM)[ \t]{1,8}\\{0,3}["'])([^"'\n\\]{4,200})/g,
    () => true,
  ],
  // `user NAME on >…` of Redis
  [/[ \t]on[ \t]/, /(\buser[ \t]{1,4}\S{1,60}[ \t]{1,4}on[ \t][^\n]{0,100}?>)([^\s"'`\\]{4,200})/g, () => true],
  // the text of a QR code: `WIFI:S:Home;T:WPA;P:…;;`
  [/WIFI:/, /(\bWIFI:[^\n]{0,100}?;P:)([^\s;]{4,100})/g, () => true],
  // `enable secret …`, `username NAME password 0 …` of routers; `connect system/…@orcl`
  [
    /secret|password|connect/,
    /(\b(?:insecure-password|(?:enable|username[ \t]\S{1,40}(?:[ \t]privilege[ \t]\d{1,2})?)[ \t](?:password|secret))[ \t]{1,4}(?:[05-9][ \t]{1,4})?|\bconnect[ \t]{1,4}\w{1,40}\/(?=\S{4,200}@\w))([^\s"'`\\@]{5,200}|[^\s"'`\\]{5,200}(?=$|\s))/g,
    (value) => looksTyped(value) || looksWeak(value) || isPassphrase(value),
  ],
  // a table: `| token | … |`
  [
    /\|/,
    /(\|[ \t]{0,20}\**[\w -]{0,30}(?:token|key|secret|password|passphrase)\**[ \t]{0,20}\|[ \t]{0,20}`?)([^\s|`]{6,500})(?=`?[ \t]{0,40}\|)/gi,
    (value) => looksIssued(value) || looksTyped(value) || looksWeak(value) || isPlainPassword(value),
  ],
  // `"//registry/:_authToken" "…"`
  [
    /token|password|secret/i,
    /((?:token|password|secret)\\{0,3}["'][ \t]{1,4}\\{0,3}["'])([^"'\n\\]{8,500})(?=\\{0,3}["'])/gi,
    (value) => looksIssued(value) || looksTyped(value),
  ],
  // `<property name="hibernate.connection.password">…</property>`, `<string name="api_secret">…</string>`
  [
    /<\w+[^>\n]{0,200}(?:pass|secret|token|key)/i,
    /(<[\w:.-]{1,60}[ \t][^<>\n]{0,80}?(?:name|key|id)=\\{0,3}["'][\w.-]{0,60}(?:password|passwd|secret|token|key)\\{0,3}["'][^<>\n]{0,80}>)([^<>\s]{4,500})(?=<\/)/gi,
    (value) => looksIssued(value) || looksTyped(value) || looksWeak(value),
  ],
  // `"github-oauth": { "github.com": "…" }`, `secrets: { stripe: '…' }`
  [
    /oauth|tokens?|secrets?|credentials|bearer|passwords?/i,
    /((?:oauth|tokens?|secrets?|credentials|bearer|passwords?)\\{0,3}["']?[ \t]{0,4}[:=]?[ \t\n]{0,40}\{[ \t\n]{0,40}\\{0,3}["']?[\w.-]{1,100}\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'])([^"'\n\\]{8,500})/gi,
    looksIssued,
  ],
  // `JSESSIONID=…`, `laravel_session=…`, `cookies={'session': '…'}`; a UUID only names the session
  [
    /sess|sid/i,
    /((?:sess(?:ion)?(?:[_.-]?id)?|\bsid)\\{0,3}["']?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["']?)([\w.~+/%-]{20,500}={0,2})/gi,
    looksSecret,
  ],
  // `BUNDLE_GEMS__EXAMPLE__COM: "name:…"`: a user and what a service issued to them
  [
    /:/,
    /([:=][ \t]{0,4}\\{0,3}["'][\w.@-]{1,64}:)([A-Za-z0-9_+/-]{20,500}={0,2})(?=\\{0,3}["'])/g,
    (value) => looksIssued(value) && /[A-Z]/.test(value) && !/^sha\d|[a-z]{8}/.test(value),
  ],
];

/** Secrets under names that contain spaces or surround the value. */
export function maskLabels(text: string): string {
  let masked = text;
  for (const [needs, label, isOne] of LABELS) {
    if (!needs.test(text)) continue;
    masked = masked.replace(label, (whole, before: string, value: string) =>
      isPlaceholder(value) || !isOne(value) ? whole : `${before}${MASK}`,
    );
  }
  if (/pass/i.test(masked)) masked = masked.replace(NEAR_PASSWORD, maskTyped);
  return masked;
}

/** The rest of the sentence after the word: `the password was changed to …`. */
const NEAR_PASSWORD = /\b(pass(?:word|wd|[ -]?phrase|code))\b([^\n.]{1,60})/gi;

function maskTyped(_: string, word: string, rest: string): string {
  let isDone = false;
  const masked = rest.replace(/[^\s"'`(),;:=<>[\]{}|]{6,64}/g, (token) => {
    if (isDone || !looksTyped(token)) return token;
    isDone = true;
    return MASK;
  });
  return word + masked;
}
