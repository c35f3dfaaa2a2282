const MINUTE = 60_000;

/** How long a call may take before its silence means something. A shell command says so itself; of others nobody knows. */
export function limitOf(name: string, input: Record<string, unknown>): number {
  if (name !== 'Bash') return 30 * MINUTE;
  // the longest that the client allows unless it is told otherwise
  return Math.max(typeof input.timeout === 'number' ? input.timeout : 0, 10 * MINUTE);
}
