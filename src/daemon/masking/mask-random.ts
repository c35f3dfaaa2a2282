import { MASK } from './mask.ts';

/** A long word that is no part of a path, of a file name, or of Base64. */
const LONG_WORD = /(?<![\w+/-])[A-Za-z0-9][\w-]{23,254}={0,2}(?![\w+/=-]|\.[a-z]{1,5}\b)/g;
/** Checksums and public keys look random, and everybody may see them. */
const PUBLIC = /(?:\b(?:sha\d{1,3}|md5|h1|ssh-[a-z0-9]{3,8})[-: ]{1,2}|integrity\W{1,4})$/i;
/** Names that an API gives to what it made, shown all over transcripts; and certificates in Base64. */
const HARMLESS =
  /^(?:(?:toolu|srvtoolu|msg|req|call|resp|chatcmpl|run|thread|step|file|asst|batch)[_-]|LS0tLS1CRUdJTi)/;
const MIN_RANDOM = 20;

/**
 * Masks keys of vendors that `key-shapes.ts` does not know: long words that nobody would type. Hex alone stays, since
 * commits, checksums and container names are made of it.
 */
export function maskRandom(text: string): string {
  return text.replace(LONG_WORD, (word, at: number) =>
    isRandom(word) && !HARMLESS.test(word) && !PUBLIC.test(text.slice(Math.max(0, at - 12), at)) ? MASK : word,
  );
}

/** In names made of words, capitals and digits come now and then; in a random text about every second character. */
function isRandom(word: string): boolean {
  const isPrefixed = /^[A-Za-z][A-Za-z0-9]{1,12}[_-]/.test(word);
  if (word.length < (isPrefixed ? 24 : 30)) return false;
  return word.split(/[_-]/).some((part) => part.length >= MIN_RANDOM && changes(part) / part.length >= 0.42);
}

/** How often the next character is of another kind. 0 where a kind is missing. */
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
