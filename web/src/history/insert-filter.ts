/** Appends a filter to the query, ready for its value, replacing one that is half-typed. */
export function insertFilter(query: string, filter: string): string {
  const kept = query
    .trimEnd()
    .split(/\s+/)
    .filter((word, index, words) => word !== '' && !(index === words.length - 1 && word.endsWith(':')));
  return [...kept, filter].join(' ');
}
