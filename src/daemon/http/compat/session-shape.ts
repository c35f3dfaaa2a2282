import { z } from 'zod';
import { type LiveSession, StopReceipt } from '../../../contract/sessions.ts';
import { iso } from './iso.ts';

/** A session in the documents' format. */
export const CompatSession = z.object({
  session_id: z.string(),
  session_name: z.string(),
  status: z.enum(['running', 'stopping', 'stopped', 'finished']),
  created_at: z.string(),
  last_event_at: z.string(),
  project_dir: z.string().nullable(),
  agent_state: z.object({ group: z.string(), state: z.string(), label: z.string() }),
  stopped_at: z.string().nullable(),
  stop_reason: z.string().nullable(),
  exit_code: z.number().nullable(),
  receipt: StopReceipt.nullable().describe('How it was stopped'),
});

export function toCompatSession(session: LiveSession): z.infer<typeof CompatSession> {
  const { group, state, label } = session.agentState;
  const { stop } = session;
  return {
    session_id: session.id,
    session_name: session.title,
    status: stop?.state ?? (session.status === 'done' ? 'finished' : 'running'),
    created_at: iso(session.startedAt),
    last_event_at: iso(session.lastActivityAt),
    project_dir: session.cwd,
    agent_state: { group, state, label },
    stopped_at: stop?.stoppedAt ? iso(stop.stoppedAt) : null,
    stop_reason: stop?.reason ?? null,
    exit_code: stop?.receipt?.exitCode ?? null,
    receipt: stop?.receipt ?? null,
  };
}
