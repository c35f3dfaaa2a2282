/** Whether a pattern matches: `maybe` if that depends on something only the shell or the disk knows. */
export type Verdict = 'yes' | 'maybe' | 'no';

/** All of them must match. */
export function allOf(verdicts: Verdict[]): Verdict {
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('maybe') ? 'maybe' : 'yes';
}

/** One match is enough. */
export function anyOf(verdicts: Verdict[]): Verdict {
  if (verdicts.includes('yes')) return 'yes';
  return verdicts.includes('maybe') ? 'maybe' : 'no';
}
