const FIRST = 20_000;
const LAST = 29_999;

interface Ports {
  first: number;
  count: number;
}

/** The first range of ports that no other worktree has. Undefined: all are taken. */
export function allotPorts(taken: readonly Ports[], count: number): Ports | undefined {
  const sorted = [...taken].sort((a, b) => a.first - b.first);
  let first = FIRST;
  for (const other of sorted) {
    if (first + count <= other.first) break;
    first = Math.max(first, other.first + other.count);
  }
  return first + count - 1 <= LAST ? { first, count } : undefined;
}
