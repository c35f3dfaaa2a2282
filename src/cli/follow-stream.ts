import type { StreamEvent } from '../contract/stream.ts';
import type { Api } from './api.ts';

export interface StreamMessage {
  event: StreamEvent;
  // biome-ignore lint/suspicious/noExplicitAny: each event has a shape of its own
  data: any;
}

/** What happens, as it happens. Ends with the daemon. */
export async function* followStream(api: Api): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of await api.stream('/api/live/stream')) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1] as StreamEvent | undefined;
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}
