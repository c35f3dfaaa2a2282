/** One thing that `gctl doctor` looked at. */
export interface Finding {
  check: string;
  verdict: 'ok' | 'note' | 'wrong';
  detail: string;
  fix?: string;
}

const SHOWN = 5;

/** At most five of them, and how many more there are. */
export function sayList(items: readonly string[]): string {
  const more = items.length - SHOWN;
  return items.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
