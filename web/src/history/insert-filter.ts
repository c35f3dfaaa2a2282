/** A filter at the end of what is looked for, ready for its value: the one that stands there half-written goes. */
export function insertFilter(query: string, filter: string): string {
  const kept = query
    .trimEnd()
    .split(/\s+/)
    .filter((word, index, words) => word !== '' && !(index === words.length - 1 && word.endsWith(':')));
  return [...kept, filter].join(' ');
}
