import { MASK } from './mask.ts';
import { isSecretName, isSecretValue } from './secret-names.ts';

/** `name: API_TOKEN` next to its `value: …`, as Kubernetes, ECS and CI systems write variables. */
const PAIR =
  /(\b(?:parameter)?(?:name|key)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?)([\w.-]{3,100})(\\{0,3}["']?[ \t]{0,4},?(?:\s|\\n){0,40}(?:-[ \t])?\\{0,3}["']?(?:[\w-]{1,20}:)?(?:parameter)?value\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3})(["']?)([^\r\n"'\\]{4,4000})/gi;

/** `"db_password": { "sensitive": true, "value": "…" }`, in Terraform's output. */
const NESTED =
  /(\b)([\w.-]{3,100})(\\{0,3}["'][ \t]{0,4}:[ \t\n]{0,40}\{[^{}]{0,200}?\\{0,3}["']value\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3})(["'])([^\r\n"'\\]{4,4000})/g;

/** `variable "db_password" { default = "…" }` */
const VARIABLE =
  /(\bvariable[ \t]{1,4}\\{0,3}["'])([\w.-]{3,100})(\\{0,3}["'][ \t]{0,4}\{[^{}]{0,300}?\bdefault[ \t]{0,10}=[ \t]{0,10}\\{0,3})(["'])([^\r\n"'\\]{4,4000})/g;

/** `"value": "…", "sensitive": true`, and the other way around. */
const SENSITIVE =
  /(["']value\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3}["'])([^\r\n"'\\]{4,4000})(?=\\{0,3}["'][ \t]{0,4},(?:\s|\\n){0,40}\\{0,3}["']sensitive\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}true)|(["']sensitive\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}true,[^{}]{0,120}?["']value\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3}["'])([^\r\n"'\\]{4,4000})/g;

/** `<key>APIToken</key><string>…</string>` */
const PLIST = /(<key>)([\w.-]{3,100})(<\/key>(?:\s|\\n){0,40}<string>)()([^<>\r\n]{4,4000})/g;

export function maskPairs(text: string): string {
  if (!/value|variable|<key>/i.test(text)) return text;
  const mask = (whole: string, before: string, name: string, between: string, quote: string, rest: string) => {
    const value = quote ? rest : (/^[^\s,;}]+/.exec(rest)?.[0] ?? '');
    if (!isSecretName(name) || !isSecretValue(value, { name, isQuoted: quote !== '' })) return whole;
    return `${before}${name}${between}${quote}${MASK}${rest.slice(value.length)}`;
  };
  return text
    .replace(PAIR, mask)
    .replace(NESTED, mask)
    .replace(VARIABLE, mask)
    .replace(PLIST, mask)
    .replace(SENSITIVE, (_, before?: string, __?: string, after?: string) => `${before ?? after}${MASK}`);
}

/** The secret's name in an object like `{ name: 'API_TOKEN', value: '…' }`. */
export function pairedName(value: object): string | undefined {
  for (const [key, name] of Object.entries(value))
    if (/^(name|key)$/i.test(key) && typeof name === 'string' && isSecretName(name)) return name;
  return undefined;
}
