import type { StreamEvent } from '../../contract/stream.ts';
import type { JournalEvent } from '../journal/journal.ts';

/** What one journal event tells those who watch. */
export interface Change {
  seq: number;
  kind: StreamEvent;
  /** A later change with the same key makes this one superfluous to a client that is behind. */
  key: string;
  data: unknown;
  event: JournalEvent;
}

/** One change as it goes over the wire, made once and shared by every client. */
export interface Frame extends Omit<Change, 'event'> {
  sse(): Buffer;
}

/** Keeps the data but not the event: a payload may be megabytes, and the newest frames stay in memory. */
export function toFrame({ seq, kind, key, data }: Change): Frame {
  let bytes: Buffer | undefined;
  return {
    seq,
    kind,
    key,
    data,
    sse() {
      bytes ??= Buffer.from(sseMessage({ event: kind, data, id: seq }));
      return bytes;
    },
  };
}

export function sseMessage({ event, data, id }: { event: StreamEvent; data: unknown; id?: number }): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
