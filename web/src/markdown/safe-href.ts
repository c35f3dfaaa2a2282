/** undefined: not an address that a link in someone else's text may lead to. */
export function safeHref(url: string): string | undefined {
  if (url.length > 4000) return undefined;
  try {
    const { protocol, href } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? href : undefined;
  } catch {
    // A path in the agent's folder, which nothing here serves.
    return undefined;
  }
}
