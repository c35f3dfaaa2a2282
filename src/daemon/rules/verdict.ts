/** Whether a pattern fits: `maybe` where that hangs on something only the shell or the disk will know. */
export type Verdict = 'yes' | 'maybe' | 'no';

/** All of them must fit. */
export function allOf(verdicts: Verdict[]): Verdict {
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('maybe') ? 'maybe' : 'yes';
}

/** One that fits is enough. */
export function anyOf(verdicts: Verdict[]): Verdict {
  if (verdicts.includes('yes')) return 'yes';
  return verdicts.includes('maybe') ? 'maybe' : 'no';
}
