import { isGibberish } from './gibberish.ts';
import { isHarmless } from './harmless.ts';
import { MASK } from './mask.ts';

/** A long word that isn't part of a path, a file name or Base64. */
const LONG_WORD = /(?<![\w+/-])[\w-]{20,255}={0,2}(?![\w+/=-]|\.[a-z]{1,5}\b|@[\w-]{1,60}\.)/g;
/** `-avzrlptgoD` */
const OPTION_BEFORE = /^$|[\s'"`]$/;
const MIN_RANDOM = 20;
/** Certificates, public keys and signatures. */
const PUBLIC_BLOCK = /(-----BEGIN (?![A-Z ]{0,40}PRIVATE)[A-Z0-9 ]{1,40}-----[^-]{0,20000}-----END )/;
/** Base64 of more than a few bytes that isn't an image or a checksum. */
const BASE64 = /(?<![\w+/=-])[A-Za-z0-9+/]{40,8000}={0,2}(?![\w+/=-])/g;
/** With what encloses the lines in source code. */
const BLOCK_BEFORE = /[A-Za-z0-9+/]{40}['"]?[ \t]?[,+.\\]?\r?\n[ \t]{0,8}['"]?$/;
const BLOCK_AFTER = /^={0,2}['"]?[ \t]?[,+.\\]?\r?\n[ \t]{0,8}['"]?[A-Za-z0-9+/]{40}/;

/**
 * Masks keys from vendors that `key-shapes.ts` doesn't know: long words nobody would type. Pure hex stays, since commits, checksums and
 * container names consist of it.
 */
export function maskRandom(text: string): string {
  if (!text.includes('-----BEGIN ')) return maskWords(text);
  return text
    .split(PUBLIC_BLOCK)
    .map((part, at) => (at % 2 === 1 ? part : maskWords(part)))
    .join('');
}

function maskWords(text: string): string {
  if (text.includes('"mappings":"') || text.includes('"mappings": "')) return text;
  const masked = maskBase64(text);
  return masked.replace(LONG_WORD, (word, at: number) =>
    isRandom(word) &&
    !(word.startsWith('-') && OPTION_BEFORE.test(masked.slice(Math.max(0, at - 1), at))) &&
    !isHarmless(word, masked.slice(Math.max(0, at - 48), at)) &&
    !isLineOfBlock(masked, at, word)
      ? MASK
      : word,
  );
}

/** A certificate, a signature, an attachment: lines of Base64 of the same length. Private keys are masked before. */
function isLineOfBlock(text: string, at: number, word: string): boolean {
  const { length } = word;
  if (length < 40 || length > 200) return false;
  const before = text.slice(Math.max(0, at - length - 12), at);
  const after = text.slice(at + length, at + 2 * length + 12);
  return BLOCK_BEFORE.test(before) || BLOCK_AFTER.test(after);
}

function maskBase64(text: string): string {
  if (!/[+/]/.test(text)) return text;
  return text.replace(BASE64, (word, at: number) => {
    if (!/[+/]/.test(word) || isHarmless(word, text.slice(Math.max(0, at - 48), at))) return word;
    if (isLineOfBlock(text, at, word)) return word;
    // a path has words between its slashes
    const isPath = word.split('/').filter((part) => /^[a-z]{3,}$|^[A-Z][a-z]{2,}$|^\d+$/.test(part)).length > 1;
    return !isPath && changes(word.replace(/[+/]/g, '')) / word.length >= 0.42 ? MASK : word;
  });
}

/** In names made of words, capitals and digits are occasional; in random text they are about every second character. */
function isRandom(word: string): boolean {
  if (isRandomWord(word)) return true;
  const isPrefixed = /^[A-Za-z][A-Za-z0-9]{1,12}[_-]/.test(word);
  if (word.length < (isPrefixed ? 24 : 30)) return false;
  return word.split(/[_-]/).some((part) => part.length >= MIN_RANDOM && changes(part) / part.length >= 0.42);
}

/** Nobody would type it, and it isn't a name of several words. */
export function isRandomWord(word: string): boolean {
  if (word.length < MIN_RANDOM || !isGibberish(word)) return false;
  const parts = word.split(/[_-]/);
  // names of several words: `linux-arm-gnueabihf`, `getCipherForPKCS12PBE`
  if (parts.every((part) => part.length < 16))
    return /[a-z].*\d|\d.*[a-z]/.test(word) && /[A-Z].*[a-z]/.test(word) && countDigits(word) >= 3;
  return countDigits(word) >= 2 || (word.length >= 30 && /[a-z]/.test(word) && /[A-Z]/.test(word));
}

function countDigits(word: string): number {
  return word.replace(/\D/g, '').length;
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
