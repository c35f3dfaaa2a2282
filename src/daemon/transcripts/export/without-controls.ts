// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this file removes

/** Terminal sequences: colors and cursor moves, titles and clipboard writes, and two-letter ones. */
const SEQUENCES =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]{0,4}[0-~])/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Printing an export to a terminal must not execute what an agent wrote. Line breaks stay. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '');
}
