import type { Socket } from 'node:net';
import type { Origins } from '../../peers/origins.ts';
import type { SpareClients } from '../../processes/spare-clients.ts';
import type { Runners } from './runners.ts';

interface Options {
  runners: Runners;
  origins: Origins;
  spareClients: SpareClients;
}

/** From a hook's payload. */
interface Sender {
  session_id: string;
  cwd?: unknown;
}

/**
 * Whether a hook comes from a runner's client. The runner reports the same events through its spool, in order and without gaps, and asks
 * the same questions, so the hook is a duplicate. A terminal with the same session open is a different client.
 */
export function createIsHosted({ runners, origins, spareClients }: Options) {
  const known = new WeakMap<Socket, Map<string, boolean>>();
  return async ({ session_id: sessionId, cwd }: Sender, socket: Socket): Promise<boolean> => {
    if (spareClients.has({ sessionId, cwd })) return true;
    const runner = runners.of(sessionId);
    if (!runner) return false;
    const before = known.get(socket)?.get(runner.id);
    if (before !== undefined) return before;
    const { lineage } = await origins.lineageOf(socket);
    const own = runners.processOf(runner);
    const isHosted = lineage.length === 0 || lineage.some(({ pid, start }) => pid === own?.pid && start === own.start);
    const ofSocket = known.get(socket) ?? new Map();
    known.set(socket, ofSocket.set(runner.id, isHosted));
    return isHosted;
  };
}

export type IsHosted = ReturnType<typeof createIsHosted>;
