/** Accepts the code alone or the whole printed link. */
export function readPairingCode(pasted: string): string {
  const text = pasted.trim();
  const fromLink = /[?&#]code=([^&#\s]+)/.exec(text)?.[1];
  if (fromLink === undefined) return text;
  try {
    return decodeURIComponent(fromLink);
  } catch (error) {
    // A stray percent sign. The daemon will reject the code.
    if (error instanceof URIError) return fromLink;
    throw error;
  }
}
