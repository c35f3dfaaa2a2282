const ASCII = /^[\t\n\x20-\x7e]*$/;
/** Control, format, private and unassigned characters, lone surrogates, every blank except plain ones, and what fonts render as nothing. */
const HIDDEN =
  /[^\P{Cc}\t\n]|[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs}\x20]/u;
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu');
const BLANK = /\p{Zs}/u;

/** The first character a reader wouldn't see, or would take for a plain blank. */
export function hiddenCharacter(text: string): string | undefined {
  const found = ASCII.test(text) ? null : HIDDEN.exec(text);
  return found ? nameOf(found[0]) : undefined;
}

export interface TextPart {
  /** Spells out a hidden character: U+202E. */
  text: string;
  hidden: boolean;
}

/** The text with its hidden characters spelled out: a command that contains one isn't what it looks like. */
export function splitHidden(text: string): TextPart[] {
  if (ASCII.test(text)) return text === '' ? [] : [{ text, hidden: false }];
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(EVERY_HIDDEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), hidden: false });
    parts.push({ text: nameOf(match[0]), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), hidden: false });
  return parts;
}

/** The text with hidden characters spelled out: `<U+202E>`. For text a person decides on. */
export function revealHidden(text: string): string {
  return replaceHidden(text, (character) => `<${nameOf(character)}>`);
}

/** The text as a reader would see it: odd blanks become plain ones, other hidden characters are removed. For text that is only read. */
export function stripHidden(text: string): string {
  return replaceHidden(text, (character) => (BLANK.test(character) ? ' ' : ''));
}

export function replaceHidden(text: string, replace: (character: string) => string): string {
  return ASCII.test(text) ? text : text.replace(EVERY_HIDDEN, replace);
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
