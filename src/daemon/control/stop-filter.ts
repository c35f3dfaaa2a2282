import type { StopFilter } from '../../contract/control.ts';
import type { LiveSession } from '../../contract/sessions.ts';

/** Whether every given condition holds for the session. */
export function matchesFilter(session: LiveSession, { project, state, group }: Omit<StopFilter, 'ids'>): boolean {
  const { agentState, projectDisplayName, projectPath, cwd } = session;
  if (project !== undefined && ![projectDisplayName, projectPath, cwd].includes(project)) return false;
  return (state ?? agentState.state) === agentState.state && (group ?? agentState.group) === agentState.group;
}
