import { isPassphrase, isPlainPassword, looksMade, looksTyped, looksWeak } from './looks-secret.ts';
import { MASK } from './mask.ts';
import { isSecretName, isSecretValue } from './secret-names.ts';

/** `arn:aws:secretsmanager:us-east-1:…:secret:name` names one. */
const ARN = /\barn:[\w:-]{1,80}$/;
/** Words in the names of secrets, and in many other names. */
const WORD =
  /secret|pass|pwd|(?<![A-Za-z])pw\b|token|key|credential|bearer|string|psk|mnemonic|phrase|auth|cookie|kennwort|contrase|senha|_PAT\b|_SESSION\b|BUNDLE_|salt|pepper|jwt|seed|licen[sc]e|(?:recovery|backup)_?code/gi;
const REST_OF_NAME = /[\w.-]{0,80}/y;
/** Between a name and its value: `NAME=`, `name: `, `"name": "`, and a YAML block on the next line. */
const ASSIGNS =
  /(?:\\{0,3}["'`]\]{0,2})?[ \t]{0,4}\*{0,2}(?:\[\][ \t]{0,2}=|=>|[:：]=|={2,3}(?=[ \t]{0,4}\\{0,3}["'`])|(?:\|\||\?\?|&&)?=|:[ \t]{0,4}[&\w<>[\]?.]{1,40}[ \t]{0,4}=(?=[ \t]{0,4}\\{0,3}["'`])|(?<=\w)[ \t][*&]?(?:string|str|String|char|text|varchar)[ \t]{1,4}:?=(?=[ \t]{0,4}\\{0,3}["'`])|::?|：|→|->|\.(?=[ \t]"))\*{0,2}[ \t]{0,16}(?:&\w{1,40}[ \t]{1,4})?(?:\[[ \t]{0,4}(?=["'\w]))?(?:[>|][+-]?(?:\r?\n|\\n)[ \t]{1,20})?(\\{0,3}["'`])?/y;
/** `process.env.NAME || 'value'`, `TOKEN ?? "value"` */
const ELSE = /[ \t]{0,4}(?:\|\||\?\?|\bor\b)[ \t]{0,4}(\\{0,3}["'`])/y;
/** `--name value`, `-Name value` */
const GIVES = /[ \t]{1,4}(?!--)(\\{0,3}["'`])?/y;
/** `set -gx NAME value`, `npm config set name value`, `aws configure set name value` */
const SETS = /\b(?:set|setenv|setx|config|configure|ENV|ARG|SetEnv|env)\b[^\n;|&]{0,60}$/;
/** `The password is …` */
const IS = /[ \t]{1,3}(?:is|was|to|as|will be|=)[ \t]{1,3}(\\{0,3}["'`])?/y;
/** `define('NAME', 'value')`, `.header("x-api-key", "value")` */
const NEXT_ARGUMENT = /\\{0,3}["'],[ \t]{0,4}(\\{0,3}["'])/y;
const DEFINES = /(?:define|setenv|setdefault|putenv|getenv|environ\.get|env)\([ \t]{0,4}\\{0,3}["']$/;
const CALLS = /[([{:,][ \t]{0,4}\\{0,3}["'][$]?$/;
/** `<name>value</name>`, `<x:name type="…">value</x:name>` */
const ELEMENT = /(?:[ \t][^<>\n]{0,200})?>(?:<!\[CDATA\[)?()/y;
const SAYS = /[ \t]{1,4}(\\{0,3}["'])/y;
const VALUE = /[^\s"'`,;&|<>(){}[\]\\]{4,2000}/y;
const ELEMENT_VALUE = /[^\s<>]{4,2000}?(?=<\/|\]\]>)/y;
/** Up to the matching quote, whatever is escaped in between. */
const QUOTED_VALUES: Record<string, RegExp> = {
  '"': /(?:[^"\r\n\\]|\\.){4,2000}/y,
  "'": /(?:[^'\r\n\\]|\\.|''){4,2000}/y,
  '`': /(?:[^`\r\n\\]|\\.){4,2000}/y,
};
/** In a string within a string, the quotes themselves are escaped. */
const ESCAPED_VALUE = /[^"'`\r\n\\]{4,2000}/y;

/** Masks values under a secret's name: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `<password>…</password>`. */
export function maskNamed(text: string): string {
  let masked = '';
  let done = 0;
  WORD.lastIndex = 0;
  for (let word = WORD.exec(text); word; word = WORD.exec(text)) {
    const end = endOf(REST_OF_NAME, text, WORD.lastIndex) ?? WORD.lastIndex;
    WORD.lastIndex = end;
    const value = findValue(text, word.index, end);
    if (!value || value.from < done) continue;
    masked += text.slice(done, value.from) + MASK;
    done = value.to;
    WORD.lastIndex = done;
  }
  return masked + text.slice(done);
}

/** Where this name's value is, if the name is a secret's and the value may be one. */
function findValue(text: string, word: number, end: number): { from: number; to: number } | undefined {
  const start = startOfName(text, word);
  const name = text.slice(start, end);
  const { found, values, isProse, isSet } = findAssignment(text, { start, end, name });
  if (!found || !isSecretName(name) || ARN.test(text.slice(Math.max(0, start - 80), start))) return undefined;
  const quote = found[1];
  const isQuoted = Boolean(quote);
  const from = end + found[0].length;
  const to = endOf(quote ? (QUOTED_VALUES[quote] ?? ESCAPED_VALUE) : values, text, from);
  if (to === undefined || !isSecretValue(text.slice(from, to), { name, isQuoted })) return undefined;
  if (isProse && !isWrittenDown(text.slice(from, to), { name, isQuoted })) return undefined;
  if (isSet && !/\d/.test(text.slice(from, to))) return undefined;
  // `"secrets": "token": …`: the quoted text is the next name
  if (isQuoted && /^\\{0,3}["'`][ \t]{0,4}:(?!:)/.test(text.slice(to, to + 10)) && text[to] !== undefined)
    return undefined;
  if (name.startsWith('--no-') && found[0].trim() === '') return undefined;
  // `${db.password:swordfish}` has its default value behind the name
  const isDefault = /\$\{[\w.-]{0,80}$/.test(text.slice(Math.max(0, start - 84), start)) && text[to] === '}';
  return !isQuoted && !isDefault && isCode(text, from, to) ? undefined : { from, to };
}

/** In a sentence, the value's looks have to tell; a password in quotes may look like any word. */
function isWrittenDown(value: string, { name, isQuoted }: { name: string; isQuoted: boolean }): boolean {
  if (looksMade(value) || looksTyped(value) || looksWeak(value)) return true;
  return /pass|pwd/i.test(name) && (isPassphrase(value) || (isQuoted && isPlainPassword(value)));
}

/** A function call, an element or a variable returns the secret; its name isn't one. */
function isCode(text: string, from: number, to: number): boolean {
  const next = text[to] ?? '';
  if (next === '(' || next === '[') return true;
  // `User=bob;Password=swordfish;Database=x` is no code
  if (next === ';' && /^;[ \t]?[A-Za-z][\w ]{0,40}=/.test(text.slice(to, to + 44))) return false;
  return (
    /^[A-Za-z_$#][\w$#.]*$/.test(text.slice(from, to)) &&
    !/\d/.test(text.slice(from, to)) &&
    /^(?:[;,)}]| \?)/.test(text.slice(to, to + 2))
  );
}

interface Assignment {
  found: RegExpExecArray | null;
  values: RegExp;
  /** Only the surrounding words say that a value follows. */
  isProse?: true;
  /** Preceded by a command that sets it. */
  isSet?: true;
}

function findAssignment(text: string, { start, end, name }: { start: number; end: number; name: string }): Assignment {
  const assigns = match(ASSIGNS, text, end);
  // in `expect "password:"` the quote behind the colon closes the one before the name
  const [opening] = /\\{0,3}["'`]$/.exec(text.slice(Math.max(0, start - 4), start)) ?? [];
  const closes = opening !== undefined && opening === assigns?.[1] && /^[ \t]*:/.test(assigns[0]);
  if (assigns && !closes) return { found: assigns, values: VALUE };
  const otherwise = match(ELSE, text, end);
  if (otherwise) return { found: otherwise, values: VALUE };
  if (name.startsWith('-')) return { found: match(GIVES, text, end), values: VALUE };
  if (/<(?:\w{1,20}:)?$/.test(text.slice(Math.max(0, start - 22), start)))
    return { found: match(ELEMENT, text, end), values: ELEMENT_VALUE };
  if (DEFINES.test(text.slice(Math.max(0, start - 20), start)))
    return { found: match(NEXT_ARGUMENT, text, end), values: VALUE };
  if (CALLS.test(text.slice(Math.max(0, start - 8), start)))
    return { found: match(NEXT_ARGUMENT, text, end), values: VALUE, isProse: true };
  const is = match(IS, text, end);
  if (is) return { found: is, values: VALUE, isProse: true };
  if (SETS.test(text.slice(Math.max(0, start - 80), start)))
    return { found: match(GIVES, text, end), values: VALUE, isSet: true };
  // `storePassword "…"`, `PSK "…"`, `secret "…"`
  const said = match(SAYS, text, end);
  if (said && isSecretName(name)) return { found: said, values: VALUE, isProse: true };
  const isPassword = /pass|pwd/i.test(name);
  return { found: isPassword ? match(GIVES, text, end) : null, values: VALUE, isProse: true };
}

function startOfName(text: string, word: number): number {
  let start = word;
  while (start > 0 && word - start < 80 && /[\w.-]/.test(text[start - 1]!)) start--;
  return start;
}

function match(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
