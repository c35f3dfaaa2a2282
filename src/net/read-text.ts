import type { IncomingMessage } from 'node:http';

/** The beginning of a response: at most a little more than `mostBytes`. */
export async function readText(response: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
