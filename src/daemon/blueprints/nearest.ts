/** The known word a misspelled one probably means: at most two edits away. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((one) => ({ one, away: distance(word.toLowerCase(), one.toLowerCase()) }));
  const [best] = ranked.filter(({ away }) => away <= 2).sort((a, b) => a.away - b.away);
  return best?.one;
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
