/** Masks only the lines in which the pattern (with the flag `g`) is found: most lines of most texts have nothing to do with secrets. */
export function maskLinesWith(text: string, hint: RegExp, mask: (line: string) => string): string {
  let masked = '';
  let done = 0;
  hint.lastIndex = 0;
  for (let found = hint.exec(text); found; found = hint.exec(text)) {
    const from = text.lastIndexOf('\n', found.index) + 1;
    const next = text.indexOf('\n', found.index);
    const to = next < 0 ? text.length : next;
    masked += text.slice(done, from) + mask(text.slice(from, to));
    done = to;
    hint.lastIndex = to;
  }
  return done === 0 ? text : masked + text.slice(done);
}
