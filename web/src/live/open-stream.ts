import { send } from '../api/send.ts';
import type { StreamListener, StreamSource } from './connect.ts';
import { sseParser } from './sse-parser.ts';

/** The stream, via fetch: EventSource can't send headers, so it can't prove who is asking. It doesn't reconnect; the caller does that. */
export function openStream(path: string, { onMessage, onEnd }: StreamListener): StreamSource {
  const leaving = new AbortController();
  const read = sseParser((message) => {
    if (!leaving.signal.aborted) onMessage(message);
  });

  async function follow(): Promise<void> {
    const response = await send(path, { cache: 'no-store', signal: leaving.signal });
    if (!response.ok || !response.body) return;
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) read(piece.value);
  }

  follow()
    .catch((error: unknown) => {
      // The connection broke, or we closed it. Anything else is a bug in a listener.
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
    })
    .finally(() => {
      if (!leaving.signal.aborted) onEnd();
    });
  return { close: () => leaving.abort() };
}
