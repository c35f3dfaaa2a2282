import { afterEach, expect, it, vi } from 'vitest';
import { getStatus } from '../../../src/contract/routes/daemon.ts';
import { getHooks, installHooks } from '../../../src/contract/routes/hooks.ts';
import { ApiError, call } from './request.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

function answer(body: string | null, init: ResponseInit) {
  const requests: Array<[string, RequestInit]> = [];
  vi.stubGlobal('fetch', async (path: string, request: RequestInit) => {
    requests.push([path, request]);
    return new Response(body, init);
  });
  return requests;
}

const json = { 'content-type': 'application/json; charset=utf-8' };

it('returns what the daemon answered', async () => {
  answer('{"path":"p"}', { headers: json });
  expect(await call(getHooks)).toEqual({ path: 'p' });
});

it('posts JSON, or an empty object without a body', async () => {
  const requests = answer(null, { status: 204 });
  expect(await call(installHooks)).toBeNull();
  expect(requests[0]?.[1]).toMatchObject({
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
});

it("throws the daemon's own message", async () => {
  answer('{"error":{"code":"hooks.invalid_json","message":"line 3, column 7"}}', { status: 409, headers: json });
  await expect(call(getHooks)).rejects.toEqual(
    new ApiError({ code: 'hooks.invalid_json', message: 'line 3, column 7', status: 409 }),
  );
});

it('reports that something else answered', async () => {
  answer('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' });
  await expect(call(getHooks)).rejects.toMatchObject({
    status: 502,
    message: 'The server responded with 502 Bad Gateway',
  });
});

it("doesn't mistake another site's page for an answer", async () => {
  answer('<h1>Log in to the hotel network</h1>', { headers: { 'content-type': 'text/html' } });
  await expect(call(getStatus)).rejects.toMatchObject({ code: 'http', status: 200 });
});

it('reports that nothing answered', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed');
  });
  await expect(call(getHooks)).rejects.toMatchObject({ code: 'unreachable', status: 0 });
});
