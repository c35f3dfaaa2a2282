import { readStream } from '../contract/routes/live.ts';
import type { StreamMessage } from '../contract/stream.ts';
import type { Client } from './client.ts';

/** Events as they happen. Ends with the daemon. */
export async function* followStream(client: Client): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of await client.stream(readStream)) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      // one of a newer daemon has an event that nobody here waits for
      if (event && data) yield { event, data: JSON.parse(data) } as StreamMessage;
    }
  }
}
