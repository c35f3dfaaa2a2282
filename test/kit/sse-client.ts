import { get } from 'node:http';

export interface SseMessage {
  id: number | undefined;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each event has a shape of its own
  data: any;
}

interface Options {
  url: string;
  token: string;
  lastEventId?: number;
  query?: string;
}

/** Reads a stream like a browser, and keeps every message. */
export async function openSse({ url, token, lastEventId, query = '' }: Options) {
  const messages: SseMessage[] = [];
  const client = {
    messages,
    onMessage: undefined as ((message: SseMessage) => void) | undefined,
    isClosed: false,
    pause: () => request.socket?.pause(),
    resume: () => request.socket?.resume(),
    close: () => request.destroy(),
  };
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
  };
  const request = get(`${url}/api/live/stream${query}`, { headers });
  let rest = '';
  await new Promise<void>((resolve, reject) => {
    request.on('error', (error) => {
      client.isClosed = true;
      reject(error);
    });
    request.on('response', (response) => {
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const parts = (rest + text).split('\n\n');
        rest = parts.pop() ?? '';
        for (const message of parts.filter((part) => part.includes('data: ')).map(parse)) {
          messages.push(message);
          client.onMessage?.(message);
        }
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        client.isClosed = true;
      });
      resolve();
    });
  });
  return client;
}

function parse(block: string): SseMessage {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const id = field('id');
  return {
    id: id === undefined ? undefined : Number(id),
    event: field('event') ?? '',
    data: JSON.parse(field('data') ?? 'null'),
  };
}
