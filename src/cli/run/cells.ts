const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** East Asian wide characters and emoji take two cells. */
const WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]$|^\p{Emoji_Presentation}$/u;

const cellsOf = (character: string): number => {
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
};

/** How many cells of a terminal a text takes. */
export function cells(text: string): number {
  let total = 0;
  for (const character of text) total += cellsOf(character);
  return total;
}

/** The beginning of a text that fits, with an ellipsis if something is left out. */
export function shortenTo(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += cellsOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** The rows that a text takes at this width. */
export function wrap(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of text) {
    const more = cellsOf(character);
    if (used + more > width) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += character;
    used += more;
  }
  return [...rows, row];
}
