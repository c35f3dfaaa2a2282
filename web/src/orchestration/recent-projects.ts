import { useState } from 'react';
import { useLive } from '../live/live.ts';

/** Folders of the sessions on the board, the most recently used first. */
export function useRecentProjects(): string[] {
  const { store } = useLive();
  const [projects] = useState(() => {
    const sessions = [...store.all().values()].sort((a, b) => b.lastActivityAt - a.lastActivityAt);
    return [...new Set(sessions.flatMap(({ projectPath }) => projectPath ?? []))];
  });
  return projects;
}
