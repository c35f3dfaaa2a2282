import { isPassphrase, isPlainPassword, looksIssued, looksTyped, looksWeak } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';
import { maskLinesWith } from './mask-lines-with.ts';

/** How people refer to a password, in the languages that repositories are written in. */
const PASSWORD =
  /pass(?:w(?:or[dt]|d)|[ -]?phrase|code|e\b)|\bpass\b|\bpwd?\b|\bcreds?\b|credential|\blog(?:ged|s)?[ -]?in\b|\bsign(?:ed|s)?[ -]?in\b|\bauth\b|kennwort|contrase[nñ]|\bsenha\b|\bclave\b|пароль|密[码碼]|口令|パスワード|비밀번호|wachtwoord|hasło|lösenord|\bpin\b|unlock|combination|root account/i;
const EACH_PASSWORD = new RegExp(PASSWORD, 'gi');
/** In these languages nothing separates the word from its value but a colon, often a wide one. */
const FOREIGN =
  /((?:mot de passe|contraseña|contrasena|senha|clave|пароль|密[码碼]|口令|パスワード|비밀번호|kennwort|passwort|wachtwoord|hasło|lösenord|heslo|parola|salasana)(?:[ \t]{0,3}(?:[:：=→]|->|est|es|ist|é|är|は|是|为|這是)[ \t]{0,3}|[ \t]{1,3})["'`«„“]?)([^\s"'`»“”,;，。]{4,64})/giu;
/** Directly in front of what somebody wrote down. */
const CONNECTS =
  /(?:(?:\b(?:is|was|are|as|to|with|and|from|using|uses?|used|try|be|set|becomes?|enter|type|typed|says?|it)|['’]s|[:=→：/|,]|[-=]>|--|—|–|\/\/)[ \t]{0,3}["'`“‘«„*_]{0,3}|\bpwd?[ \t]["'`“‘]?|\bpass[ \t]["'`“‘]?|["'`“‘«„])$/iu;
/** Words that people write down; what encloses them doesn't belong to them. */
const TOKEN = /[^\s"'`“”‘’«»„()[\]{}<>,;|\\：，。]{6,64}/gu;
/** A sentence in code, or in a command that is in JSON. */
const SENTENCE = /"(?:[^"\\]|\\.){12,1000}"|'[^'\\]{12,1000}'|`[^`\\]{12,1000}`/g;
const MAX_LINE = 4000;
/** Behind it: ``use `swordfish77` as the password``. */
const AS_PASSWORD =
  /^["'`”’»]{0,2} (?:as|for|is|was) (?:the |your |a |my |our )?[\w ]{0,30}\bpass(?:word|phrase|code)/i;
/** Code has its own rules (`mask-code.ts`); its names would pass for passwords here. */
const CODE =
  /[{};]|=>|[\w\])]\(|<\/?\w|\b(?:const|let|var|function|def|class|import|return|fn|func|public|private|static)\b/;
const MAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const ADDRESS = /^(?:[\w.-]+\.[a-z]{2,}|[\d.]+)(?::\d+)?(?:\/|$)|^[~.]{0,2}\/|^[\w-]+\/[\w./-]+$|^--?[a-z]/i;

/** Passwords in sentences: no name is assigned to, but the line is about logging in and one word of it is like no other. */
export function maskProse(text: string): string {
  const foreign =
    !/[\u0080-\uffff]|passwort|senha|clave|contrasena|mot de passe|kennwort|wachtwoord|heslo|parola|salasana/i.test(
      text,
    )
      ? text
      : text.replace(FOREIGN, (whole, before: string, value: string) =>
          isPlaceholder(value) ||
          !(looksTyped(value) || looksWeak(value) || looksIssued(value) || isPlainPassword(value))
            ? whole
            : `${before}${MASK}`,
        );
  return maskLinesWith(foreign, EACH_PASSWORD, (line) => {
    if (line.length > MAX_LINE) return line;
    return CODE.test(line) ? line.replace(SENTENCE, (quoted) => maskSentence(quoted)) : maskSentence(line);
  });
}

function maskSentence(line: string): string {
  const word = PASSWORD.exec(line);
  if (!word) return line;
  return line.replace(TOKEN, (found, at: number) => {
    const token = found.replace(/[.:?]+$/, '');
    if (isPlaceholder(token) || MAIL.test(token) || ADDRESS.test(token) || isName(token)) return found;
    if (isBehind(line, at) && isPlainPassword(token)) return MASK + found.slice(token.length);
    const isConnected = CONNECTS.test(line.slice(Math.max(0, at - 16), at));
    const isOne = isConnected
      ? looksTyped(token) ||
        ((at > word.index || AS_PASSWORD.test(line.slice(at + found.length, at + found.length + 60))) &&
          (looksWeak(token) || isPassphrase(token)))
      : looksTyped(token) && /[!#$%^&*~]/.test(token);
    return isOne ? MASK + found.slice(token.length) : found;
  });
}

/** `password is swordfish`, `Passwort: schwertfisch` */
function isBehind(line: string, at: number): boolean {
  return /pass(?:wor[dt]|phrase|code)["'`*]{0,3}(?:[ \t]{0,3}[:=→]|['’]s|[ \t](?:is|was|es|to|with)|[ \t](?:(?:re)?set|changed)[ \t]to)[ \t]{1,3}["'`“‘*]{0,3}$/i.test(
    line.slice(Math.max(0, at - 40), at),
  );
}

/** `DB_PASSWORD`, `auth.service.ts:12`, `OAuth2`, `v2.0.1-rc1`, `2026-01-18T10:00:00Z` */
function isName(token: string): boolean {
  return (
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(token) ||
    /^[\w.$-]+=/.test(token) ||
    /\.[a-z]{1,4}(?::\d+)*$/.test(token) ||
    /^v?\d+(?:\.\d+)+/.test(token) ||
    /^\d{4}-\d\d-\d\d/.test(token) ||
    /^[\d:.,+%-]+[a-zA-Z]{0,3}$/.test(token)
  );
}
