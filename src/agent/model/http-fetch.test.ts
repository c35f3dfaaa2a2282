import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpFetch } from './http-fetch.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe('httpFetch', () => {
  it('sends method, headers and body, and returns status, headers and a stream', async () => {
    const { url } = await serve(async (request, response) => {
      response.writeHead(418, { 'x-echo': request.headers['x-given'] ?? '' });
      response.end(`${request.method} ${await text(request)}`);
    });
    const response = await httpFetch(url, { method: 'POST', headers: { 'x-given': 'yes' }, body: 'hello' });
    expect([response.status, response.headers.get('x-echo'), await response.text()]).toEqual([
      418,
      'yes',
      'POST hello',
    ]);
  });

  it('retries on a new connection only if the server closed an idle one', async () => {
    let requests = 0;
    const { server, url } = await serve((_, response) => {
      requests += 1;
      response.end('ok');
    });
    expect(await (await httpFetch(url)).text()).toBe('ok');
    const closed = new Promise<void>((resolve) => server.once('connection', () => resolve()));
    server.closeIdleConnections();
    expect(await (await httpFetch(url)).text()).toBe('ok');
    await closed;
    expect(requests).toBe(2);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(httpFetch(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends a request and a body when its signal aborts', async () => {
    const { url } = await serve((_, response) => {
      response.write('first');
    });
    const abort = new AbortController();
    const response = await httpFetch(url, { signal: abort.signal });
    const body = response.text();
    abort.abort();
    await expect(body).rejects.toThrow();
    await expect(httpFetch(url, { signal: abort.signal })).rejects.toThrow();
  });
});
