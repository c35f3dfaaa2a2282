/**
 * Characters that are drawn as nothing or that reorder what is drawn: a command that holds one is not what it looks
 * like, so they are spelled out. Tab and line break are as they seem.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is looked for by itself
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

export interface Stretch {
  text: string;
  hidden: boolean;
}

export function revealHidden(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) stretches.push({ text: text.slice(from, match.index), hidden: false });
    const code = match[0].codePointAt(0) ?? 0;
    stretches.push({ text: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) stretches.push({ text: text.slice(from), hidden: false });
  return stretches;
}
