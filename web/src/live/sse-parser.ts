import type { StreamEvent } from '../../../src/contract/stream.ts';

export interface SseMessage {
  type: StreamEvent;
  data: string;
  lastEventId: string;
}

/** Cuts a stream into messages as it comes, in the form that our daemon writes it: one line for each field. */
export function sseParser(onMessage: (message: SseMessage) => void): (text: string) => void {
  /** What came of a message whose end did not: kept in pieces, since a large one comes in hundreds. */
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
