import { looksIssued, looksMade, looksSecret, looksTyped, looksWeak } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';
import { isSecretName } from './secret-names.ts';

type Replace = [letters: string[], shape: RegExp, isOne?: (value: string, before: string) => boolean];

const SHAPES: Replace[] = [
  // `auth=("name", "password")` of Python's requests, `user = "name:password"` of curl's own file
  [
    ['auth'],
    /(\b\w{0,20}auth[ \t]{0,4}=[ \t]{0,4}\([ \t]{0,4}\\{0,3}["'][^"'\n\\]{1,100}\\{0,3}["'][ \t]{0,4},[ \t]{0,4}\\{0,3}["'])([^"'\n\\]{4,500})/g,
  ],
  [
    ['user'],
    /(\buser[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'][^\s:"'\\]{1,100}:)(?!\d{1,6}\\{0,3}["'])([^\s"'\\]{4,500})(?=\\{0,3}["'])/g,
  ],
  // a field of a posted form
  [['assword'], /(\bname=\\{0,3}"\w{0,20}[pP]assword\\{0,3}"(?:\r?\n|\\r\\n|\\n){2})([^\r\n\\]{4,500})/g],
  // `new Search('app', 'key')`, `createClient(url, 'key')`
  [
    ['('],
    /((?:\bnew[ \t]{1,4}[A-Z]\w{0,60}|(?:[cC]lient|[sS]earch|[iI]nit|[cC]onfigure|[cC]onnect|[sS]etup)\w{0,20})\([^()\n]{1,200}?,[ \t]{0,4}\\{0,3}["'])([^"'\n\\]{20,500})(?=\\{0,3}["'])/g,
    looksSecret,
  ],
  // `auth: { user: 'name', pass: '…' }`
  [
    ['user'],
    /(\buser\w{0,10}\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'][^"'\n\\]{1,100}\\{0,3}["'][ \t]{0,4},[ \t\n]{0,40}\\{0,3}["']?pass\w{0,6}\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'])([^"'\n\\]{4,200})(?=\\{0,3}["'])/g,
  ],
  // `setPassword("…")`
  [['assword('], /(\b(?:set|with|add)_?[pP]assword\([ \t]{0,4}\\{0,3}["'])([^\s"'\n\\]{5,200})(?=\\{0,3}["'])/g],
  // `HTTPBasicAuth("name", "…")`: the second text is the password, whatever it looks like
  [
    ['asic', 'redential', 'Authentic', 'sernamePassword', 'login', 'getConnection', 'mysqli', 'Password('],
    /(\b(?:\w{0,20}[bB]asic_?(?:Auth(?:entication)?)?|NetworkCredential|PasswordAuthentication|UsernamePassword\w{0,30}|\w{0,40}AndPassword|login|getConnection|mysqli)\((?:[^()\n"']{0,100},[ \t]{0,4})?\\{0,3}["'][^"'\n\\]{1,100}\\{0,3}["'][ \t]{0,4},[ \t]{0,4}\\{0,3}["'])([^\s"'\n\\]{5,200})(?=\\{0,3}["'][ \t]{0,4}[,)])/g,
    (value) => !/^[\w.+-]+@[\w.-]+$|^https?:|^[\w-]+\.[\w.-]+$/.test(value),
  ],
  // `new Stripe('…')`, `twilio(sid, '…')`: hex too, since nothing else is passed to a client
  [
    ['new ', 'lient(', 'ot(', 'twilio(', '.run(', 'search('],
    /(\b(?:new[ \t]{1,4}\w{0,30}(?:[cC]lient|A[pP][iI]|S[dD][kK]|Stripe|Bot|Mail\w{0,10}|Search|Analytics)|twilio|bot\.run|client\.run|algoliasearch)\((?:[^()\n]{1,100},[ \t]{0,4})?\\{0,3}["'])([^"'\n\\]{20,500})(?=\\{0,3}["'])/g,
    looksIssued,
  ],
  // `Github('…')` with nothing but hex: a client, unless its name says that it is an id
  [
    ["('", '("'],
    /(\b[A-Z][A-Za-z]{1,40}\([ \t]{0,2}\\{0,3}["'])([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?=\\{0,3}["'][ \t]{0,2}\))/g,
    (_, before) => !/(?:id|hash|sha\d*|commit|object|digest|ref|color|buffer|hex|bytes|error|string)\W+$/i.test(before),
  ],
  [
    ['jwt.'],
    /(\bjwt\.\w{1,12}\([^()\n"']{1,60},[ \t]{0,4}\\{0,3}["'])([^"'\n\\]{8,500})/g,
    (value) => !/\s/.test(value),
  ],
  // `keys: ['…', '…']`, `secrets = ["…"]`
  [
    ['keys', 'ecrets', 'okens', 'asswords'],
    /((?:[kK]eys|[sS]ecrets|[tT]okens|[pP]asswords)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\[[ \t]{0,4}\\{0,3}["'])([^"'\n\\]{6,500})/g,
    (value) => looksTyped(value) || looksSecret(value),
  ],
  // a browser test that logs in: `page.fill('#password', '…')`, `getByLabel('Password').fill('…')`
  [
    ['assw', 'pwd', 'asscode'],
    /((?:[pP]assw|[pP]wd|[pP]asscode)[^\n]{0,40}?(?:["'`\])]{1,4},[ \t]{0,4}|\.(?:fill|type|sendKeys|send_keys|setValue|set_value|val|pressSequentially|press_sequentially|input|enter_text|enterText)\([ \t]{0,4})\\{0,3}["'`])([^"'`\n\\]{4,200})(?=\\{0,3}["'`][ \t]{0,4}[),])/g,
    (value) => looksTyped(value) || looksMade(value) || /^\S*[a-z]\S*\d$/i.test(value),
  ],
  // what is typed into a password field is one, whatever it looks like
  [
    ['assw', 'pwd'],
    /((?:[pP]assw|[pP]wd)[^\n]{0,40}?\.(?:fill|type|sendKeys|send_keys|setValue|set_value|pressSequentially|press_sequentially|enter_text|enterText)\([ \t]{0,4}\\{0,3}["'`])([^\s"'`\n\\]{4,200})(?=\\{0,3}["'`][ \t]{0,4}[),])/g,
    (value) => !/^(?:password|secret|x+|test|wrong|invalid|incorrect)$/i.test(value),
  ],
];

/** `smtp.login("name", "password")`, `new PDO(dsn, 'name', 'password')`, `Sequelize('db', 'name', 'password', {…})` */
const LOGS_IN =
  /((?:[aA]uth|[lL]og_?[iI]n|[sS]ign_?[iI]n|[cC]onnect|[cC]redential|[pP]assw|[sS]ecret|[tT]oken|[cC]ipher|[eE]ncrypt|[hH]mac|[fF]ernet|[wW]allet|[wW]i[fF]i\.begin|[aA]pi_?[kK]ey|PDO|[tT]wilio|mysqli|Sequelize|createPool|\bbind|simple_bind|hash|compareSync|bcrypt|argon2|scrypt|\bjwt|\.update|createUser|create_user|create_superuser|\bsign|\bverify|\.init|\.run|setKey|set_key|AccessKey|basic)[\w.:!]{0,30}(?:\(|[ \t](?=\\{0,3}["'][^"'\n\\]{1,60}\\{0,3}["'][ \t]{0,2},)))([^\n]{1,300})/g;
const LITERAL = /(\\{0,3}["'])([^"'\n\\]{6,200})(?=\\{0,3}["'])/g;

/** `ENCRYPTION_KEY = Buffer.from('…', 'hex')`: the text inside the call is the secret. */
const WRAPPED =
  /(\b([A-Za-z_$][\w$.-]{2,80})\\{0,3}["']?[ \t]{0,4}[:=]{1,2}[ \t]{0,4}(?:new[ \t]{1,4})?[\w.]{1,60}\([ \t]{0,4}\\{0,3}["'`])([^"'`\n\\]{16,2000})(?=\\{0,3}["'`])/g;

/** Names of algorithms, files, addresses, messages and identifiers. */
const NOT_ONE =
  /^(?:(?:[aA][eE][sS]|[dD][eE][sS]|[rR][sS][aA]|[sS][hH][aA]|[mM][dD]|[HREP]S|[hH][mM][aA][cC]|argon|pbkdf|[eE]d|[uU][tT][fF]|[bB]ase|x|http|tls|ssl|[oO][aA]uth|v)[-_]?\d[\w-]*|[\w./-]+\.[a-z]\w{0,4}|[\w.+-]+@[\w.-]+\.\w+|[a-z][\w+-]*:.*|\/.*|[\w-]+\/[\w./-]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|\d[\d.:-]*)$/;

/** Where the call's own parenthesis closes. */
function endOfCall(given: string): number {
  let depth = 1;
  for (let at = 0; at < given.length; at++) {
    if (given[at] === '(') depth++;
    else if (given[at] === ')' && --depth === 0) return at;
  }
  return given.length;
}

/** Secrets in code that are passed as arguments, without a name. */
export function maskCode(text: string): string {
  let masked = text;
  for (const [letters, shape, isOne = () => true] of SHAPES) {
    if (!letters.some((start) => text.includes(start))) continue;
    masked = masked.replace(shape, (whole, before: string, value: string) =>
      isPlaceholder(value) || !isOne(value, before) ? whole : `${before}${MASK}`,
    );
  }
  masked = masked.replace(LOGS_IN, (_, call: string, given: string) => {
    const end = endOfCall(given);
    const hidden = given
      .slice(0, end)
      .replace(LITERAL, (whole, quote: string, value: string) =>
        (looksTyped(value) || looksSecret(value) || looksWeak(value)) && !isPlaceholder(value) && !NOT_ONE.test(value)
          ? `${quote}${MASK}`
          : whole,
      );
    return call + hidden + given.slice(end);
  });
  if (!/key|secret|token|pass/i.test(masked)) return masked;
  return masked.replace(WRAPPED, (whole, before: string, name: string, value: string) =>
    isSecretName(name) && looksIssued(value) ? `${before}${MASK}` : whole,
  );
}
