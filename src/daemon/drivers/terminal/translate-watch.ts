import { type AgentEvent, MAIN_ACTOR } from '../../../contract/agent-events.ts';
import { textOf as text } from '../../../contract/values.ts';

type Payload = Record<string, unknown>;
type Status = 'idle' | 'busy' | 'waiting';

const actor = { id: MAIN_ACTOR };

/** Translates what we saw of a client's processes and pid files into agent events. Empty: not about the agent. */
export function translateWatch(name: string, payload: Payload): AgentEvent[] {
  switch (name) {
    case 'process.seen':
      return [attached(payload)];
    case 'process.speaks':
      return [{ type: 'process.speaks', actor, pid: Number(payload.pid) }];
    case 'process.gone':
      return [{ type: 'process.detached', actor, pid: typeof payload.pid === 'number' ? payload.pid : null }];
    case 'calls.ended':
      return [{ type: 'tool.outcomes_missed', actor, ids: payload.ids as string[] }];
    case 'status.corrected':
      return [observed(payload)];
    default:
      return [];
  }
}

function attached({ pid, start, version, entrypoint, cwd, status, waitingFor }: Payload): AgentEvent {
  return {
    type: 'process.attached',
    actor,
    process: { pid: Number(pid), start: text(start) || null },
    ...(text(version) ? { version: text(version) } : {}),
    ...(text(entrypoint) ? { entrypoint: text(entrypoint) } : {}),
    ...(text(cwd) ? { facts: { cwd: text(cwd) } } : {}),
    ...(text(status) ? { status: toStatus(status), ...waiting(waitingFor) } : {}),
  };
}

function observed({ status, waitingFor, pid, by, isAtWork, turn }: Payload): AgentEvent {
  return {
    type: 'status.observed',
    actor,
    status: toStatus(status),
    ...waiting(waitingFor),
    ...(typeof pid === 'number' ? { pid } : {}),
    ...(typeof by === 'number' ? { answeredBy: by } : {}),
    resumed: isAtWork === true,
    turnEnded: turn === 'ended',
  };
}

/** The client has more statuses than we distinguish: `shell`, while only a background command is running. */
function toStatus(status: unknown): Status {
  return status === 'idle' || status === 'waiting' ? status : 'busy';
}

function waiting(waitingFor: unknown): { waitingFor?: 'permission' | 'input' } {
  if (!text(waitingFor)) return {};
  return { waitingFor: waitingFor === 'permission prompt' ? 'permission' : 'input' };
}
