import { isGibberish } from './gibberish.ts';

/** Plain words don't: `Token refreshing`, `basic authentication`. */
export function looksRandom(token: string): boolean {
  return /\d/.test(token) || /[a-z][A-Z]/.test(token) || /[+/=_~]/.test(token);
}

/** Not an ordinary word: letters and digits, with a capital or a symbol among them. */
export function looksMade(value: string): boolean {
  if (value.length < 6 || !/\d/.test(value) || !/[a-z]/i.test(value) || /^\d+\/\w+$|^[\w.-]+=/.test(value))
    return false;
  return value.length >= 20 || /[A-Z]|[^\w.-]/.test(value);
}

/** Words with digits that often appear next to "password" and "token". */
const TERM =
  /^(?:(?:base|sha|md|utf|aes|rsa|oauth|http|argon|ipv?|node|x|v|ed|uuid|ripemd|blake|totp|bcrypt|scrypt|pbkdf)[\d-][\w.-]*|[\w-]*(?:\d+(?:st|nd|rd|th|ms|kb|mb|gb|px|s|h|d|m))|e2e[\w-]*|i18n|a11y|k8s|s3|w3c|oidc|p12|pkcs\d+|\d[\d.,:-]*\w?)$/i;

const WORD_AND_NUMBER = /^[A-Z]?[a-z]+-?\d{1,4}$/;
/** As Apple and Google issue them for one program. */
const APP_PASSWORD = /^[a-z]{4}(?:[ -][a-z]{4}){3}$/;

/** As `looksTyped`, and words with a number behind them (`swordfish77`): only where a password is expected. */
export function looksWeak(value: string): boolean {
  if (value.length < 6 || value.length > 64 || /[/:=\\@\s]|\.[a-z]\w{0,4}$/i.test(value)) return false;
  return (
    /[a-z]/i.test(value) &&
    /\d/.test(value) &&
    !TERM.test(value) &&
    !/^(?:v|rc|step|phase|test|line|page|part|h|p|id|user|host|db|port)[-_]?\d+$/i.test(value)
  );
}

/** Passwords as people invent them: `Winter2026!`, `hunter2!`, `letme1n-please`. Not a path, address, file name or version. */
export function looksTyped(value: string): boolean {
  if (value.length < 6 || value.length > 64 || /[/:\\]|^[\w.-]+=|\.[a-z]\w{0,4}$/i.test(value) || !/[a-z]/i.test(value))
    return false;
  if (APP_PASSWORD.test(value)) return true;
  if (UUID.test(value) || /^[0-9a-f]{16,}$/i.test(value)) return false;
  if (TERM.test(value) || WORD_AND_NUMBER.test(value)) return false;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && !/^[A-Z][a-z]+\d+$/.test(value);
  const hasSign = /\d/.test(value) && /[!#$%^&*+?~]/.test(value);
  const isOdd = /[a-z\d][!#$%^&*+~]+[a-z\d]/i.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
  return isMixed || hasSign || isOdd || /[a-z]\d+[a-z]/i.test(value) || isGibberish(value);
}

/** No word that says something about a password: `required`, `incorrect`, `mandatory`. Only where somebody wrote one down. */
export function isPlainPassword(value: string): boolean {
  return (
    /^[a-z]{8,32}$/.test(value) &&
    !/(?:[eo]d|ing|[lt]y|[bpt]le|[ai]ve|[aeo]nt|ous|ful|less|[aoe]ry|al|ic|ion|ment|ness|ers?|ors?|ect|lid|ong|ess|ies|ate|i[sz]e|[ae]nce|words?|[dt]en|ult|text|lure|ever|ough|other|cess|ield|fields?|keys?|hash|string|hashes|values?|inputs?|prompts?|names?|files?)$/.test(
      value,
    )
  );
}

/** `correct-horse-battery` */
export function isPassphrase(token: string): boolean {
  return /^[a-z]{3,10}(?:[-_.][a-z]{3,10}){2,5}$/i.test(token) && token.length >= 14;
}

/** Digits and letters mixed as in no ordinary word: `q7Zt2LxWv9`, `tok_9f8e7d6c5b4a`. */
export function looksScrambled(value: string): boolean {
  if (value.length < 8 || UUID.test(value) || (value.match(/\d/g) ?? []).length < 2) return false;
  if (/[a-z]{5}|[A-Z]{6}|^v?\d+\.\d|%[a-zA-Z]%/.test(value.replace(/^[a-z]{2,12}[_-]/i, ''))) return false;
  const turns = value.match(/\d(?=[a-z])|[a-z](?=\d)/gi) ?? [];
  if (value.length >= 10 && turns.length >= 5 && /[a-z]{2}|[g-z]|\d{2}/i.test(value)) return true;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const changes = value.match(/\d(?=\D)|[a-z](?=[^a-z])|[A-Z](?=[^A-Z])/g) ?? [];
  return changes.length / value.length >= 0.4;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A generated value: a UUID, a hash in hex, or long and random. */
export function looksIssued(value: string): boolean {
  return UUID.test(value) || looksSecret(value);
}

/** Like `looksIssued`, but without UUIDs, which are more often names than keys. */
export function looksSecret(value: string): boolean {
  if (/^[0-9a-f]{24,}$/i.test(value)) return /\d/.test(value) && /[a-f]/i.test(value);
  if (UUID.test(value) || !/^[\w.~+/%-]{20,}={0,2}$/.test(value) || !/[a-z]/i.test(value)) return false;
  if (!/\d/.test(value)) return isGibberish(value);
  if (/\.[a-z]{1,5}$/.test(value)) return false;
  if (isGibberish(value)) return true;
  if (/[a-z]/.test(value) && /[A-Z]/.test(value)) return !/[A-Z]?[a-z]{7}/.test(value);
  // all one case: more digits than a name has, and no words
  return value.replace(/\D/g, '').length >= 4 && !/[a-z]{6}|[A-Z]{8}/.test(value);
}
