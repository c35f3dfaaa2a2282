/** Undefined: not an address that a link in somebody else's words may lead to. */
export function safeHref(url: string): string | undefined {
  if (url.length > 4000) return undefined;
  try {
    const { protocol, href } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? href : undefined;
  } catch {
    // a path in the agent's folder: nothing here answers to it
    return undefined;
  }
}
