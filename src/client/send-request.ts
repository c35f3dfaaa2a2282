import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Sent {
  status: number;
  /** Read it once, to its end or until you stop. */
  body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

export interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
}

const agent = new Agent({ keepAlive: true });

/** Node's own `fetch` takes 30 ms and 40 MB to load, which someone waits for at each `gctl` and each runner pays for. */
export async function sendRequest(url: string, sending: Sending = {}): Promise<Sent> {
  const { method = 'GET', headers = {}, body, signal } = sending;
  const options = { method, headers, ...(signal ? { signal } : {}) };
  // the daemon on this machine doesn't use TLS, which takes 10 ms to load
  const secure = url.startsWith('https:') ? await import('node:https') : undefined;
  return new Promise((resolve, reject) => {
    const asked = secure ? secure.request(url, options) : request(url, { ...options, agent });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // the daemon closed an idle connection just when it was used again: it has seen nothing of this
      if (asked.reusedSocket && error.code === 'ECONNRESET') sendRequest(url, sending).then(resolve, reject);
      else reject(error);
    });
    asked.on('response', (response) => resolve(toSent(response)));
    asked.end(body);
  });
}

function toSent(response: IncomingMessage): Sent {
  return { status: response.statusCode ?? 0, body: response, text: () => text(response) };
}
