import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { anthropicModel } from './anthropic.ts';
import { readCustomHeaders } from './custom-headers.ts';

it('sends a custom key header and version and no authorization, as older gateways require', async () => {
  let seen: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    seen = request.headers;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"type":"error","error":{"type":"invalid_request_error","message":"enough"}}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const headers = readCustomHeaders('anthropic-version: 2023-06-01\nX-Api-Key: secret\nAuthorization:\n');
  const { port } = server.address() as AddressInfo;
  const model = anthropicModel({ apiKey: 'secret', baseUrl: `http://127.0.0.1:${port}/gateway`, headers });
  const request = { model: 'm', max_tokens: 1, stream: true as const, messages: [] };
  await expect(model(request, { signal: new AbortController().signal })).rejects.toThrow('enough');
  expect(seen).toMatchObject({ 'anthropic-version': '2023-06-01', 'x-api-key': 'secret' });
  expect(seen.authorization).toBeUndefined();
});

it('names an invalid header line without its value', () => {
  expect(() => readCustomHeaders('not a header: secret')).toThrow('"not a header"');
  expect(readCustomHeaders(undefined)).toEqual({});
});
