import { StreamCut } from '../loop/retry.ts';
import { httpFetch } from './http-fetch.ts';

/**
 * A fetch whose body fails after `silenceMs` without a byte. The SDK's timeout ends at the headers and hides pings, so a watch on its
 * events would end a model that thinks for long.
 */
export async function watchBytes(
  input: string | URL | Request,
  init: RequestInit | undefined,
  silenceMs: number,
): Promise<Response> {
  const response = await httpFetch(input, init);
  if (!response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await readWithin(reader, silenceMs).catch((error: Error) => {
        // a reset connection must be told apart from a defect of ours: it may be tried again
        throw error instanceof StreamCut || error.name === 'AbortError' ? error : new StreamCut(error.message);
      });
      if (chunk.done) controller.close();
      else controller.enqueue(chunk.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, silenceMs: number): Promise<Chunk> {
  return new Promise((resolve, reject) => {
    let armedAt = Date.now();
    const giveUp = () => {
      // The machine slept: the timer is late by more than a busy event loop explains. Give the connection another chance.
      if (Date.now() - armedAt > silenceMs * 2) return arm();
      reject(new StreamCut(`No data for ${Math.round(silenceMs / 1000)} s`));
      reader.cancel().catch(() => undefined);
    };
    let timer: NodeJS.Timeout;
    const arm = () => {
      armedAt = Date.now();
      timer = setTimeout(giveUp, silenceMs);
    };
    arm();
    reader
      .read()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
