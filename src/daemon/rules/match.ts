/** Whether a pattern matches: `maybe` if that depends on something only the shell or the disk knows. */
export type Match = 'yes' | 'maybe' | 'no';

/** All of them must match. */
export function allOf(matches: Match[]): Match {
  if (matches.includes('no')) return 'no';
  return matches.includes('maybe') ? 'maybe' : 'yes';
}

/** One match is enough. */
export function anyOf(matches: Match[]): Match {
  if (matches.includes('yes')) return 'yes';
  return matches.includes('maybe') ? 'maybe' : 'no';
}
