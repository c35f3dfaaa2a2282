/** Cuts the middle: the start of the output says what a command does, the end how it went. */
export function capText(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor(most * 0.4);
  const tail = most - head;
  return `${text.slice(0, head)}\n\n[… ${text.length - most} characters left out …]\n\n${text.slice(-tail)}`;
}
