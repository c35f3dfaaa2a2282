import { MASK } from './mask.ts';

/** A long word that isn't part of a path, a file name or Base64. */
const LONG_WORD = /(?<![\w+/-])[A-Za-z0-9][\w-]{23,254}={0,2}(?![\w+/=-]|\.[a-z]{1,5}\b)/g;
/** Checksums and public keys look random, but aren't secret. */
const PUBLIC = /(?:\b(?:sha\d{1,3}|md5|h1|ssh-[a-z0-9]{3,8})[-: ]{1,2}|integrity\W{1,4})$/i;
/** Ids that an API assigns, common in transcripts; and certificates in Base64. */
const HARMLESS =
  /^(?:(?:toolu|srvtoolu|msg|req|call|resp|chatcmpl|run|thread|step|file|asst|batch)[_-]|LS0tLS1CRUdJTi)/;
const MIN_RANDOM = 20;

/**
 * Masks keys from vendors that `key-shapes.ts` doesn't know: long words nobody would type. Pure hex stays, since commits, checksums and
 * container names consist of it.
 */
export function maskRandom(text: string): string {
  return text.replace(LONG_WORD, (word, at: number) =>
    isRandom(word) && !HARMLESS.test(word) && !PUBLIC.test(text.slice(Math.max(0, at - 12), at)) ? MASK : word,
  );
}

/** In names made of words, capitals and digits are occasional; in random text they are about every second character. */
function isRandom(word: string): boolean {
  const isPrefixed = /^[A-Za-z][A-Za-z0-9]{1,12}[_-]/.test(word);
  if (word.length < (isPrefixed ? 24 : 30)) return false;
  return word.split(/[_-]/).some((part) => part.length >= MIN_RANDOM && changes(part) / part.length >= 0.42);
}

/** How often the next character is of another kind. 0 if a kind is missing. */
function changes(part: string): number {
  if (!/[a-z].*[a-z]/.test(part) || !/[A-Z].*[A-Z]/.test(part) || !/\d.*\d/.test(part)) return 0;
  let count = 0;
  for (let at = 1; at < part.length; at++) if (kindOf(part[at]!) !== kindOf(part[at - 1]!)) count++;
  return count;
}

function kindOf(char: string): string {
  if (char <= '9') return 'digit';
  return char <= 'Z' ? 'capital' : 'small';
}
