import { looksIssued, looksScrambled, looksTyped } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';

/** A line about a secret, in which a random-looking word is one. */
const ABOUT =
  /passw|passphrase|\bpwd?\b|secret|token|api[ _-]?key|private[ _-]?key|access[ _-]?key|credential|\bauth\b|bearer|login|obscure/i;
/** Words that make hex in such a line a checksum or a version. */
const ABOUT_HASHES =
  /commit|sha\d|\bsha\b|hash|digest|checksum|md5|\brev|etag|integrity|fingerprint|uuid|\bid\b|[a-z]id\b/i;
/** A separate word, not part of a path, a package, a checksum or a call. */
const WORD = /(?<![\w/@.-]|sha\d{1,3}[-:=]|hash\W{1,3}|commit )[\w!#$%^&*+~-]{8,200}(?![\w/(]|\.[a-z]{1,5}\b)/g;
const HEX = /^[0-9a-f]{16,64}$/i;
const PRIVATE_HEX = /\b(?:0x)?[0-9a-f]{64}\b/gi;
const BREAK = '(?:\\r?\\n|\\\\n)';
/** `Your new API token:` with the token on the next line; `token = <<EOT`; the output of a program that makes passwords. */
const NEXT_LINE = new RegExp(
  `((?:(?:passw|passphrase|secret|token|api[ _-]?key|private[ _-]?key|access[ _-]?key)[^\\n\\\\]{0,80}(?:[:=]|<<[-~]?[ \\t]?["']?\\w{1,20}["']?)|\\b(?:pwgen|apg|mkpasswd|genkey|openssl rand|urandom)\\b[^\\n\\\\]{0,60})[ \\t]{0,4}${BREAK}{1,2}[ \\t>]{0,20})([^\\s"'\`\\\\]{8,500})(?=[ \\t]{0,4}(?:${BREAK}|["']|$))`,
  'gi',
);

/** Secrets without a name or label, in a line about a secret or the line below. */
export function maskNear(text: string): string {
  if (!ABOUT.test(text) && !/pwgen|\bapg\b|genkey|openssl rand|urandom/i.test(text)) return text;
  const below = text.replace(NEXT_LINE, (whole, before: string, value: string) =>
    looksIssued(value) || looksScrambled(value) || looksTyped(value) ? `${before}${MASK}` : whole,
  );
  return below.replace(/[^\n]+/g, maskLine);
}

function maskLine(line: string): string {
  if (line.length > 4000 || !ABOUT.test(line)) return line;
  const masked = /private[ _-]?key/i.test(line) ? line.replace(PRIVATE_HEX, MASK) : line;
  const mayBeHash = ABOUT_HASHES.test(line);
  return masked.replace(WORD, (word) => {
    if (isPlaceholder(word) || (HEX.test(word) && mayBeHash)) return word;
    return looksScrambled(word) ? MASK : word;
  });
}
