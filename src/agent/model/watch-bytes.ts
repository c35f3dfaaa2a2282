import { StreamCut } from '../loop/retry.ts';
import { httpFetch } from './http-fetch.ts';

/**
 * A fetch whose body fails after `silenceMs` without a byte. The SDK's timeout ends at the headers and its events hide pings, so a timeout
 * on SDK events would cut off a model that thinks for a long time.
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
        // tell a connection reset from our own bugs: a reset can be retried
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
      // The machine slept: the timer is later than a busy event loop could explain. Give the connection another chance.
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
