const ASCII = /^[\t\n\x20-\x7e]*$/;
// control, format, private and unassigned characters, lone surrogates, every blank but the plain ones, and what fonts leave empty
const HIDDEN =
  /[^\P{Cc}\t\n]|[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs}\x20]/u;

/** The first character that a reader of the text would not see, or would take for a plain blank. */
export function hiddenCharacter(text: string): string | undefined {
  if (ASCII.test(text)) return undefined;
  const [found] = HIDDEN.exec(text) ?? [];
  return found === undefined ? undefined : `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
