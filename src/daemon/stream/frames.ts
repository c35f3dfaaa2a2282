import type { LiveSession } from '../../contract/sessions.ts';
import type { Change } from '../sessions/live-model.ts';

/** One change as it goes over the wire, made once and shared by every client. */
export interface Frame {
  seq: number;
  kind: Change['kind'];
  session: LiveSession;
  sse(): Buffer;
}

/** Keeps the session but not the event: a payload may be megabytes, and the newest frames stay in memory. */
export function toFrame({ seq, kind, session }: Change): Frame {
  let bytes: Buffer | undefined;
  return {
    seq,
    kind,
    session,
    sse() {
      const data = kind === 'session_completed' ? { sessionId: session.id } : session;
      bytes ??= Buffer.from(sseMessage({ event: kind, data, id: seq }));
      return bytes;
    },
  };
}

export function sseMessage({ event, data, id }: { event: string; data: unknown; id?: number }): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
