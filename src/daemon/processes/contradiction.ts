import type { Session } from '../sessions/session.ts';
import type { PidFile } from './pid-files.ts';

/** Between two subagents the client says idle for a tenth of a second; only an idleness that lasts is one. */
export const IDLE_HOLDS_MS = 400;

/** The hook that tells of a dialog may be slower than the file, and tells more: it is given time. */
const WAITING_HOLDS_MS = 1500;

const WAITING = new Set(['needs_permission', 'awaiting_input', 'awaiting_approval']);

/** What the client's own file says and our hooks did not tell, or undefined where the two agree. */
export function findContradiction(
  session: Session,
  file: PidFile,
  now: number,
): 'idle' | 'busy' | 'waiting' | undefined {
  const { status, statusUpdatedAt = 0 } = file;
  if (session.endedAt !== null || !status) return undefined;
  if (session.lastHookAt === null) return withoutHooks(session, file);
  if (status === 'idle') {
    const isNews = statusUpdatedAt > session.lastHookAt && now - statusUpdatedAt >= IDLE_HOLDS_MS;
    return isNews && (session.state.group === 'autonomous' || WAITING.has(session.state.state)) ? 'idle' : undefined;
  }
  if (status === 'waiting') {
    const isNews = statusUpdatedAt > session.lastHookAt && now - statusUpdatedAt >= WAITING_HOLDS_MS;
    return isNews && session.state.group === 'autonomous' ? 'waiting' : undefined;
  }
  return WAITING.has(session.state.state) && statusUpdatedAt > session.stateSince ? 'busy' : undefined;
}

/** No hook has spoken for this session: its file drives the state. */
function withoutHooks(session: Session, { status, waitingFor }: PidFile): 'idle' | 'busy' | 'waiting' | undefined {
  const told = status === 'idle' || status === 'waiting' ? status : 'busy';
  const state = {
    idle: 'idle',
    busy: 'thinking',
    waiting: waitingFor === 'permission prompt' ? 'needs_permission' : 'awaiting_input',
  }[told];
  return state === session.state.state ? undefined : told;
}
