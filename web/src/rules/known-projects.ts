import { useLive } from '../live/live.ts';

/** Projects of the sessions on the board, to choose from. */
export function useKnownProjects(): string[] {
  const { store } = useLive();
  const paths = [...store.all().values()].flatMap(({ projectPath }) => (projectPath ? [projectPath] : []));
  return [...new Set(paths)].sort();
}
