import { MASK } from './mask.ts';

/** A long word that isn't part of a path, a file name or Base64. */
const LONG_WORD = /(?<![\w+/-])[A-Za-z0-9][\w-]{23,254}={0,2}(?![\w+/=-]|\.[a-z]{1,5}\b)/g;
/** Checksums and public keys look random, but aren't secret. */
const PUBLIC = /(?:\b(?:sha\d{1,3}|md5|h1|ssh-[a-z0-9]{3,8})[-: ]{1,2}|integrity\W{1,4})$/i;
/** Ids that an API assigns, common in transcripts; and certificates in Base64. */
const HARMLESS =
  /^(?:sha\d{1,3}-|(?:toolu|srvtoolu|msg|req|call|resp|chatcmpl|run|thread|step|file|asst|batch)[_-]|LS0tLS1CRUdJTi)/;
const MIN_RANDOM = 20;
/** Base64 of more than a few bytes that isn't an image or a checksum. */
const BASE64 = /(?<![\w+/=-])[A-Za-z0-9+/]{40,8000}={0,2}(?![\w+/=-])/g;
const BLOCK_BEFORE = /^[A-Za-z0-9+/]{60,76}\r?\n$/;
const BLOCK_AFTER = /^\r?\n[A-Za-z0-9+/]{60,76}$/;
const EMBEDDED = /(?:base64,|mappings\W{1,4})$/;

/**
 * Masks keys from vendors that `key-shapes.ts` doesn't know: long words nobody would type. Pure hex stays, since commits, checksums and
 * container names consist of it.
 */
export function maskRandom(text: string): string {
  const masked = maskBase64(text);
  return masked.replace(LONG_WORD, (word, at: number) =>
    isRandom(word) &&
    !HARMLESS.test(word) &&
    !PUBLIC.test(masked.slice(Math.max(0, at - 24), at)) &&
    !isLineOfBlock(masked, at, word)
      ? MASK
      : word,
  );
}

/** A certificate, a signature, an attachment: lines of Base64 of the same length. Private keys are masked before. */
function isLineOfBlock(text: string, at: number, word: string): boolean {
  const { length } = word;
  if (length < 60 || length > 76) return false;
  const before = text.slice(Math.max(0, at - length - 1), at);
  const after = text.slice(at + length, at + 2 * length + 1);
  return BLOCK_BEFORE.test(before) || BLOCK_AFTER.test(after);
}

function maskBase64(text: string): string {
  if (!/[+/]/.test(text)) return text;
  return text.replace(BASE64, (word, at: number) => {
    if (!/[+/]/.test(word) || HARMLESS.test(word) || /^(?:AAAA[A-E]|MII)/.test(word)) return word;
    const before = text.slice(Math.max(0, at - 12), at);
    if (isLineOfBlock(text, at, word) || PUBLIC.test(before) || EMBEDDED.test(before)) return word;
    // a path has words between its slashes
    const isPath = word.split('/').filter((part) => /^[a-z]{3,}$|^[A-Z][a-z]{2,}$|^\d+$/.test(part)).length > 1;
    return !isPath && changes(word.replace(/[+/]/g, '')) / word.length >= 0.42 ? MASK : word;
  });
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
