import { MASK } from './mask.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** The longest keys have about 100 lines; a truncated one has no end marker. */
const MAX_KEY = 16_384;
/** Encrypted, but often with a weak key or one stored next to it. */
const ANSIBLE =
  /(\$ANSIBLE_VAULT;[\w.;-]{1,60}(?:\r?\n|\\n))((?:[ \t]{0,20}[0-9a-f]{16,100}(?:\r?\n|\\n|$|(?=["']))){1,400})/g;
const PUTTY = /(Private-Lines: \d{1,3}(?:\r?\n|\\n))((?:[A-Za-z0-9+/=]{1,100}(?:\r?\n|\\n|$)){1,120})/g;

/** Masks line by line, so a diff keeps its line numbers. */
export function maskPrivateKeys(text: string): string {
  const masked = text.includes('PRIVATE KEY') ? maskPem(text) : text;
  const hide = (_: string, head: string, lines: string) => head + maskLines(lines);
  const vaults = masked.includes('$ANSIBLE_VAULT') ? masked.replace(ANSIBLE, hide) : masked;
  return vaults.includes('Private-Lines:') ? vaults.replace(PUTTY, hide) : vaults;
}

function maskPem(text: string): string {
  let masked = '';
  let done = 0;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin; begin = BEGIN.exec(text)) {
    const from = BEGIN.lastIndex;
    END.lastIndex = from;
    const end = END.exec(text.slice(0, from + MAX_KEY));
    const to = end ? end.index : Math.min(text.length, from + MAX_KEY);
    masked += text.slice(done, from) + maskLines(text.slice(from, to));
    done = to;
    BEGIN.lastIndex = to;
  }
  return masked + text.slice(done);
}

function maskLines(text: string): string {
  return text.replace(/[^\r\n]+/g, MASK);
}
