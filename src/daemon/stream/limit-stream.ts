import type { LiveSession } from '../../contract/sessions.ts';
import { isInProjects } from '../access/project-scope.ts';
import type { Board } from '../board/board.ts';
import type { Frame } from './frames.ts';
import type { StreamLimit } from './sse.ts';

/** What a device that is limited to these projects gets of the stream. */
export function limitStream(projects: readonly string[], board: Board): StreamLimit {
  const isVisible = ({ projectPath }: LiveSession) => isInProjects(projects, projectPath);
  /** Sessions that were sent to the client, so it also learns when they leave. */
  const shown = new Set<string>();

  function sees({ kind, data }: Pick<Frame, 'kind' | 'data'>): boolean {
    switch (kind) {
      case 'session_discovered':
      case 'session_updated':
      case 'session_stopping':
        return seesSession(data as LiveSession);
      case 'session_removed':
        return shown.delete((data as { sessionId: string }).sessionId);
      case 'approval_request':
      case 'approval_updated':
      case 'approval_decided':
      case 'approval_delivery':
      case 'message_delta':
      case 'shells_changed':
        return seesById((data as { sessionId: string }).sessionId);
      case 'access_changed':
      case 'notify_changed':
      case 'heartbeat':
        return true;
      default:
        // totals of all projects, and lists that this device can't read
        return false;
    }
  }

  function seesSession(session: LiveSession): boolean {
    const sees = isVisible(session);
    if (sees) shown.add(session.id);
    return sees;
  }

  function seesById(sessionId: string): boolean {
    const session = board.view(sessionId);
    return session !== undefined && isVisible(session);
  }

  return { sees, sessions: () => board.views().filter(seesSession) };
}
