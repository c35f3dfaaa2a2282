const MINUTE = 60_000;

/** How long a call may take before silence means something. A shell command says so itself; for others it is unknown. */
export function limitOf(name: string, input: Record<string, unknown>): number {
  if (name !== 'Bash') return 30 * MINUTE;
  // the client's default maximum
  return Math.max(typeof input.timeout === 'number' ? input.timeout : 0, 10 * MINUTE);
}
