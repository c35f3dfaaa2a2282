import { send } from '../api/send.ts';
import type { StreamListener, StreamSource } from './connect.ts';
import { sseParser } from './sse-parser.ts';

/**
 * The stream, by fetch: an EventSource sends no headers, and so no proof of who asks. It does not come back by itself either;
 * whoever opened it looks after that.
 */
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
      // a connection that broke, or that we left; anything else is a defect of whoever listens
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
    })
    .finally(() => {
      if (!leaving.signal.aborted) onEnd();
    });
  return { close: () => leaving.abort() };
}
