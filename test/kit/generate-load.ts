import { connect } from 'node:net';

export interface LoadResult {
  perSecond: number;
  p50Us: number;
  p99Us: number;
}

/**
 * Posts the same bytes over a number of keep-alive connections, each waiting for its response as a real client does. Uses raw sockets, so
 * that the generator costs little compared to the server it measures.
 */
export async function generateLoad({
  port,
  request,
  connections,
  seconds,
}: {
  port: number;
  request: Buffer;
  connections: number;
  seconds: number;
}): Promise<LoadResult> {
  const latencies: number[] = [];
  let isMeasuring = false;
  let isOver = false;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    let missing = -1;
    const send = () => {
      missing = -1;
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      missing = missing < 0 ? answerLength(chunk) - chunk.length : missing - chunk.length;
      if (missing > 0) return;
      if (isMeasuring) latencies.push(performance.now() - sentAt);
      if (!isOver) send();
    });
    socket.on('error', (error) => {
      if (!isOver) throw error;
    });
    return socket;
  });
  await sleep(500);
  isMeasuring = true;
  const start = performance.now();
  await sleep(seconds * 1000);
  const took = (performance.now() - start) / 1000;
  isMeasuring = false;
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return {
    perSecond: latencies.length / took,
    p50Us: percentile(latencies, 50) * 1000,
    p99Us: percentile(latencies, 99) * 1000,
  };
}

function answerLength(chunk: Buffer): number {
  const head = chunk.toString('latin1', 0, 1000);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`the server answered ${head.split('\r\n')[0]}`);
  return head.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}

export function postRequest({
  port,
  path,
  headers,
  body,
}: {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...headers,
  });
  return Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`),
    bytes,
  ]);
}

export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 50);

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
