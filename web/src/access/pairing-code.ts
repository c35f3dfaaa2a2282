/** The code alone, or the whole link that was printed. */
export function readPairingCode(pasted: string): string {
  const text = pasted.trim();
  const fromLink = /[?&]code=([^&#\s]+)/.exec(text)?.[1];
  if (fromLink === undefined) return text;
  try {
    return decodeURIComponent(fromLink);
  } catch (error) {
    // a stray percent sign: the daemon will say that it is no code of its own
    if (error instanceof URIError) return fromLink;
    throw error;
  }
}
