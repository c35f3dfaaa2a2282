const PATIENCE_MS = 10_000;

/** Whether our own daemon answers at an address, in words. */
export async function probe(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
    if (answer.ok) return 'works';
    return `responds with ${answer.status}, but isn't Ground Control. Check where the tunnel forwards to.`;
  } catch (error) {
    const cause = (error as { cause?: Error }).cause?.message ?? (error as Error).message;
    return `could not be reached from this machine (${cause}). It may still work from others; try it on your phone.`;
  }
}
