const DAY_MS = 86_400_000;

/**
 * Words next to each text that let the full-text index itself filter: intersecting two row lists takes no time, while checking every row
 * with a common word takes longer than a person waits.
 */
export function marksOf(piece: { kind: string; at: number | null; fileId: number; tool: string | null }): string {
  const day = dayOf(piece.at);
  const marks = [piece.kind, fileMark(piece.fileId), dayMark(day), weekMark(weekOfDay(day))];
  if (piece.tool !== null) marks.push(toolMark(piece.tool));
  return marks.join(' ');
}

/** Days since 1970, in UTC. What has no time is older than everything else. */
export function dayOf(at: number | null): number {
  return at === null || at < 0 ? 0 : Math.floor(at / DAY_MS);
}

export function weekOfDay(day: number): number {
  return Math.floor(day / 7);
}

export function dayMark(day: number): string {
  return `d${day}`;
}

export function weekMark(week: number): string {
  return `w${week}`;
}

export function fileMark(fileId: number): string {
  return `f${fileId}`;
}

/** Two tools may share one: it narrows the search, and the row decides. */
export function toolMark(tool: string): string {
  return `t${tool.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
}
