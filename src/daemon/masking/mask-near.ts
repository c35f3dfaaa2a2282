import { isGibberish } from './gibberish.ts';
import { isHarmless } from './harmless.ts';
import { looksIssued, looksScrambled, looksTyped, looksWeak } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';
import { maskLinesWith } from './mask-lines-with.ts';

/** A line about a secret, in which a random-looking word is one. */
const ABOUT =
  /passw|passphrase|\bpwd?\b|secret|token|api[ _-]?key|private[ _-]?key|access[ _-]?key|credential|\bauth\b|bearer|login|obscure/i;
/** Says less: only what nobody could have typed is a secret beside it. */
const HINTS = /\bapi\b|\bkey\b|webhook|accounts|wallet|signer/i;
const HINT = new RegExp(`${ABOUT.source}|${HINTS.source}`, 'gi');
/** Words that make hex in such a line a checksum or a version. */
const ABOUT_HASHES =
  /commit|sha\d|\bsha\b|hash|digest|checksum|md5|\brev|etag|integrity|fingerprint|\bgit\b|\bgpg\b|checkout|cherry-pick|bisect|uuid|\bid\b|[a-z]id\b/i;
/** A separate word, not part of a path, a package, a checksum or a call. */
const WORD = /(?<![\w/@.-]|sha\d{1,3}[-:=]|hash\W{1,3}|commit )[\w!#$%^&*+~-]{8,200}(?![\w/(]|\.[a-z]{1,5}\b)/g;
/** `PBKDF2-HMAC-SHA256`, `user-real-login-name` */
const NAMES = /^(?:[a-z]{0,9}\d{0,4}|[A-Z]{0,9}\d{0,4})(?:[-_](?:[a-z]{0,9}\d{0,4}|[A-Z]{0,9}\d{0,4}))+$/;
const HEX = /^[0-9a-f]{16,64}$/i;
const PRIVATE_HEX = /\b(?:0x)?[0-9a-f]{64}\b/gi;
const BREAK = '(?:\\r?\\n|\\\\n)';
/** `Your new API token:` with the token on the next line; `token = <<EOT`; the output of a program that makes passwords. */
const NEXT_LINE = new RegExp(
  `((?:(?:passw|passphrase|secret|token|api[ _-]?key|private[ _-]?key|access[ _-]?key)[^\\n\\\\]{0,80}(?:[:=]|<<[-~]?[ \\t]?["']?\\w{1,20}["']?)|\\b(?:pwgen|apg|mkpasswd|genkey|openssl rand|urandom)\\b[^\\n\\\\]{0,60})[ \\t]{0,4}${BREAK}{1,2}[ \\t>]{0,20})([^\\s"'\`\\\\]{8,500})(?=[ \\t]{0,4}(?:${BREAK}|["']|$))`,
  'gi',
);
/** Somebody asked for it, and the next line answers. */
const ASKED =
  /(\b(?:passw(?:or)?d|passphrase|passcode|pin|token|api key|secret|login|creds)\b[^\n]{0,30}\?[^\n]{0,10}\n[ \t>]{0,8}(?:\[[^\]\n]{1,20}\][ \t]{0,2})?(?:[\w .-]{1,20}:[ \t])?["'`]?)([^\s"'`]{6,200})(?=["'`.!]{0,2}[ \t]{0,4}(?:\n|$))/gi;
/** A command that shows a secret, and below it nothing but the secret: `$ gh auth token`. */
const SHOWN =
  /((?:^|\n)[ \t]{0,8}(?:[$#%>❯]|[\w.@~:/-]{1,60}[$#%]|(?:cat|echo|printenv|pass|op|bw|vault|gh|aws|az|gcloud|kubectl|heroku|security|secret-tool|doppler|sops|age|rails)\b)[^\n]{0,200}(?:token|secret|passw|\bpass\b|credential|[_-]key\b|api[_-]?key|\.key\b|\brails[ \t]secret|\bop[ \t]read|\bpass[ \t]show|[A-Z]_KEY\b|login)[^\n]{0,120}\n[ \t]{0,8})([^\s"'`\\]{8,500})(?=[ \t]{0,4}(?:\n|["']|$))/gi;

/** Secrets without a name or label, in a line about a secret or the line below. */
export function maskNear(text: string): string {
  if (
    !ABOUT.test(text) &&
    !HINTS.test(text) &&
    !/op read|pass show|printenv|pwgen|\bapg\b|genkey|openssl rand|urandom/i.test(text)
  )
    return text;
  const below = text.replace(NEXT_LINE, (whole, before: string, value: string) =>
    looksIssued(value) || looksScrambled(value) || looksTyped(value) ? `${before}${MASK}` : whole,
  );
  const shown = below.replace(SHOWN, (whole, before: string, value: string) =>
    looksIssued(value) || looksScrambled(value) || looksTyped(value) ? `${before}${MASK}` : whole,
  );
  const asked = shown.replace(ASKED, (whole, before: string, value: string) =>
    looksIssued(value) || looksTyped(value) || looksWeak(value) ? `${before}${MASK}` : whole,
  );
  return maskLinesWith(asked, HINT, maskLine);
}

function maskLine(line: string): string {
  if (line.length > 4000) return line;
  const isAbout = ABOUT.test(line);
  const masked = /private[ _-]?key|accounts|wallet|signer/i.test(line) ? line.replace(PRIVATE_HEX, MASK) : line;
  const mayBeHash = ABOUT_HASHES.test(line);
  return masked.replace(WORD, (word, at: number) => {
    if (isPlaceholder(word) || (HEX.test(word) && mayBeHash)) return word;
    if (!HEX.test(word) && isHarmless(word, line.slice(Math.max(0, at - 48), at))) return word;
    return (isAbout && looksScrambled(word)) ||
      (word.length >= 20 && /\d/.test(word) && !NAMES.test(word) && isGibberish(word))
      ? MASK
      : word;
  });
}
