import { Agent, type IncomingMessage, request as requestPlainly } from 'node:http';
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

/** Node's own `fetch` takes 30 ms and 40 MB to load: a delay for every `gctl` command and a cost for every runner. */
export async function sendRequest(url: string, sending: Sending = {}): Promise<Sent> {
  const { method = 'GET', headers = {}, body, signal } = sending;
  // few need TLS, and it takes as long to load as all else here
  const https = new URL(url).protocol === 'https:' ? await import('node:https') : undefined;
  return new Promise((resolve, reject) => {
    const options = { method, headers, ...(signal ? { signal } : {}) };
    const asked = https ? https.request(url, options) : requestPlainly(url, { ...options, agent });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // the daemon closed an idle connection just as we reused it, so it never saw this request
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
