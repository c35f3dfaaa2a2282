import type { StreamEvent } from '../../contract/stream.ts';
import type { JournalEvent } from '../journal/journal.ts';

/** What one journal event tells clients. */
export interface Change {
  seq: number;
  kind: StreamEvent;
  /** A later change with the same key makes this one superfluous to a client that is behind. */
  key: string;
  data: unknown;
  event: JournalEvent;
}

/** A change as sent over the wire, serialized once and shared by every client. */
export interface Replayable {
  seq: number;
  sse(): Buffer;
}

export interface Frame extends Omit<Change, 'event'>, Replayable {}

/** Two versions of a change: one for current clients, and one to keep, which drops the data once it has the bytes. */
export function toFrame({ seq, kind, key, data }: Change): { frame: Frame; kept: Replayable } {
  let source: unknown = data;
  let bytes: Buffer | undefined;
  const sse = () => {
    bytes ??= Buffer.from(sseMessage({ event: kind, data: source, id: seq }));
    source = undefined;
    return bytes;
  };
  return { frame: { seq, kind, key, data, sse }, kept: { seq, sse } };
}

export function sseMessage({ event, data, id }: { event: StreamEvent; data: unknown; id?: number }): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
