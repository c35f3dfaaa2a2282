import { looksIssued, looksMade, looksSecret, looksTyped, looksWeak } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';
import { isSecretName } from './secret-names.ts';

type Replace = [letters: string[], shape: RegExp, isOne?: (value: string) => boolean];

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
    /(\b(?:new[ \t]{1,4}[A-Z]\w{0,60}|[A-Za-z_.]{0,40}(?:[cC]lient|[sS]earch|[iI]nit|[cC]onfigure|[cC]onnect|[sS]etup)\w{0,20})\([^()\n]{1,200}?,[ \t]{0,4}\\{0,3}["'])([^"'\n\\]{20,500})(?=\\{0,3}["'])/g,
    looksSecret,
  ],
  // `keys: ['…', '…']`, `secrets = ["…"]`
  [
    ['keys', 'ecrets', 'okens', 'asswords'],
    /(\b\w{0,40}(?:[kK]eys|[sS]ecrets|[tT]okens|[pP]asswords)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\[[ \t]{0,4}\\{0,3}["'])([^"'\n\\]{6,500})/g,
    (value) => looksTyped(value) || looksSecret(value),
  ],
  // a browser test that logs in: `page.fill('#password', '…')`, `getByLabel('Password').fill('…')`
  [
    ['assw'],
    /(assw[^\n]{0,40}?(?:["'`\])]{1,4},[ \t]{0,4}|\.(?:fill|type|sendKeys|send_keys|setValue|set_value|val|pressSequentially|press_sequentially|input|enter_text|enterText)\([ \t]{0,4})\\{0,3}["'`])([^"'`\n\\]{4,200})(?=\\{0,3}["'`][ \t]{0,4}[),])/g,
    (value) => looksTyped(value) || looksMade(value) || /^\S*[a-z]\S*\d$/i.test(value),
  ],
];

/** `smtp.login("name", "password")`, `new PDO(dsn, 'name', 'password')`, `Sequelize('db', 'name', 'password', {…})` */
const LOGS_IN =
  /(\b(?:login|signIn|sign_in|authenticate|auth|connect|basicAuth|basic_auth|BasicAuth|SetBasicAuth|PDO|Twilio|mysqli|Sequelize|createConnection|createPool|getConnection|setCredentials|UsernamePassword\w{0,30}|PasswordAuthentication|NetworkCredential|PasswordCredentials|hash|hashSync|hashpw|compareSync|make_password|set_password|check_password\w{0,8}|generate_password_hash|simple_bind\w{0,2}|bind|HTTPBasicAuth|HTTPDigestAuth|create_user|create_superuser|createUser|sign|verify|createHmac|createCipheriv|http_auth|hmac\.new)\()([^()\n]{1,300})/g;
const LITERAL = /(\\{0,3}["'])([^"'\n\\]{6,200})(?=\\{0,3}["'])/g;

/** `ENCRYPTION_KEY = Buffer.from('…', 'hex')`: the text inside the call is the secret. */
const WRAPPED =
  /(\b([A-Za-z_$][\w$.-]{2,80})\\{0,3}["']?[ \t]{0,4}[:=]{1,2}[ \t]{0,4}(?:new[ \t]{1,4})?[\w.]{1,60}\([ \t]{0,4}\\{0,3}["'`])([^"'`\n\\]{16,2000})(?=\\{0,3}["'`])/g;

/** Secrets in code that are passed as arguments, without a name. */
export function maskCode(text: string): string {
  let masked = text;
  for (const [letters, shape, isOne = () => true] of SHAPES) {
    if (!letters.some((start) => text.includes(start))) continue;
    masked = masked.replace(shape, (whole, before: string, value: string) =>
      isPlaceholder(value) || !isOne(value) ? whole : `${before}${MASK}`,
    );
  }
  masked = masked.replace(LOGS_IN, (_, call: string, given: string) => {
    const hidden = given.replace(LITERAL, (whole, quote: string, value: string) =>
      looksTyped(value) || looksSecret(value) || looksWeak(value) ? `${quote}${MASK}` : whole,
    );
    return call + hidden;
  });
  if (!/key|secret|token|pass/i.test(masked)) return masked;
  return masked.replace(WRAPPED, (whole, before: string, name: string, value: string) =>
    isSecretName(name) && looksIssued(value) ? `${before}${MASK}` : whole,
  );
}
