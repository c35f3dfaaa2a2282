/** Plain words don't: `Token refreshing`, `basic authentication`. */
export function looksRandom(token: string): boolean {
  return /\d/.test(token) || /[a-z][A-Z]/.test(token) || /[+/=_~]/.test(token);
}

/** No word of a sentence: letters and digits, with a capital or a sign among them. */
export function looksMade(value: string): boolean {
  if (value.length < 6 || !/\d/.test(value) || !/[a-z]/i.test(value) || /^\d+\/\w+$/.test(value)) return false;
  return value.length >= 20 || /[A-Z]|[^\w.-]/.test(value);
}

/** Words with digits in them that people write beside "password" and "token". */
const TERM =
  /^(?:(?:base|sha|md|utf|aes|rsa|oauth|http|argon|ipv?|node|x|v|ed|uuid|ripemd|blake|totp|bcrypt|scrypt|pbkdf)[\d-][\w.-]*|[\w-]*(?:\d+(?:st|nd|rd|th|ms|kb|mb|gb|px|s|h|d|m))|[A-Z]?[a-z]+-?\d{1,4}|e2e[\w-]*|i18n|a11y|k8s|s3|w3c|oidc|p12|pkcs\d+|\d[\d.,:-]*\w?)$/i;

/** As people make up passwords: `Winter2026!`, `hunter2!`, `letme1n-please`. No path, address, name of a file or version. */
export function looksTyped(value: string): boolean {
  if (value.length < 6 || value.length > 64 || /[/:=\\]|\.[a-z]\w{0,4}$/i.test(value) || !/[a-z]/i.test(value))
    return false;
  if (TERM.test(value)) return false;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && !/^[A-Z][a-z]+\d+$/.test(value);
  const hasSign = /\d/.test(value) && /[!#$%^&*+?~]/.test(value);
  return isMixed || hasSign || /[a-z]\d+[a-z]/i.test(value);
}

/** Digits and letters of both cases in no order that words have: `q7Zt2LxWv9`. */
export function looksScrambled(value: string): boolean {
  if (value.length < 8 || (value.match(/\d/g) ?? []).length < 2 || !/[a-z]/.test(value) || !/[A-Z]/.test(value))
    return false;
  if (/[a-z]{5}|[A-Z]{6}|^v?\d+\.\d/.test(value)) return false;
  const changes = value.match(/\d(?=\D)|[a-z](?=[^a-z])|[A-Z](?=[^A-Z])/g) ?? [];
  return changes.length / value.length >= 0.4;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A value that some program made: a UUID, a hash in hex, or long and random. */
export function looksIssued(value: string): boolean {
  return UUID.test(value) || looksSecret(value);
}

/** As `looksIssued`, but UUIDs name things more often than they open them. */
export function looksSecret(value: string): boolean {
  if (/^[0-9a-f]{24,}$/i.test(value)) return /\d/.test(value) && /[a-f]/i.test(value);
  if (UUID.test(value) || !/^[\w.~+/%-]{20,}={0,2}$/.test(value) || !/\d/.test(value) || !/[a-z]/i.test(value))
    return false;
  if (/\.[a-z]{1,5}$/.test(value)) return false;
  if (/[a-z]/.test(value) && /[A-Z]/.test(value)) return !/[A-Z]?[a-z]{7}/.test(value);
  // one case only: more digits than a name has, and no words
  return value.replace(/\D/g, '').length >= 4 && !/[a-z]{6}|[A-Z]{8}/.test(value);
}
