import type { StreamEvent } from '../../../src/contract/stream.ts';

export interface SseMessage {
  type: StreamEvent;
  data: string;
  lastEventId: string;
}

/** Splits a stream into messages, in the form our daemon writes: one line per field. */
export function sseParser(onMessage: (message: SseMessage) => void): (text: string) => void {
  /** The unfinished message, kept in pieces because a large one arrives in hundreds of chunks. */
  let pieces: string[] = [];
  let endsInBreak = false;
  return (text) => {
    const isDone = text.includes('\n\n') || (endsInBreak && text.startsWith('\n'));
    endsInBreak = text.endsWith('\n');
    pieces.push(text);
    if (!isDone) return;
    const blocks = pieces.join('').split('\n\n');
    pieces = [blocks.pop() ?? ''];
    for (const block of blocks) {
      const message = parse(block);
      if (message) onMessage(message);
    }
  };
}

function parse(block: string): SseMessage | undefined {
  let type = '';
  let data: string | undefined;
  let lastEventId = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('data: ')) data = line.slice(6);
    else if (line.startsWith('event: ')) type = line.slice(7);
    else if (line.startsWith('id: ')) lastEventId = line.slice(4);
  }
  return data === undefined ? undefined : { type: type as StreamEvent, data, lastEventId };
}
