import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAddress } from './check-address.ts';
import { type MadeCertificates, makeCertificates } from './make-certificates.ts';
import { Probes } from './probes.ts';

const probes = new Probes(Date.now);
let made: MadeCertificates;
const servers: Server[] = [];

beforeAll(async () => {
  made = await makeCertificates(['localhost'], Date.now());
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer({ cert: made.certPem, key: made.keyPem }, handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

const check = (url: string, ca: string | undefined = made.caPem) => checkAddress(url, { probes, ca });
const nonceIn = (url = '') => url.split('/').at(-1) ?? '';
const answering: RequestListener = (request, response) => {
  if (!probes.answer(nonceIn(request.url), response)) response.writeHead(404).end();
};

it('recognizes this daemon, also below a path', async () => {
  const url = await serve(answering);
  expect(await check(url)).toEqual({ address: url, works: true, detail: 'works', fix: null });
  expect((await check(`${url}/gc`)).works).toBe(true);
});

it('notices that live updates are held back', async () => {
  const url = await serve((request, response) => {
    const held: Buffer[] = [];
    const collector = Object.assign(response, {
      write: (piece: string) => held.push(Buffer.from(piece)),
    }) as typeof response;
    const { end } = response;
    collector.end = ((last: string) => {
      response.end = end;
      return response.end(Buffer.concat([...held, Buffer.from(last)]));
    }) as typeof response.end;
    probes.answer(nonceIn(request.url), collector);
  });
  expect(await check(url)).toMatchObject({ works: false, detail: expect.stringContaining('holds live updates back') });
});

it.each<[string, RequestListener, RegExp, RegExp]>([
  [
    'another Ground Control',
    (request, response) => new Probes(Date.now).answer(nonceIn(request.url), response) || response.writeHead(404).end(),
    /something else answers/,
    /where the name points to/,
  ],
  ['a page that echoes the question', (request, response) => response.end(request.url), /something else/, /points to/],
  [
    'a sign-in page of the proxy',
    (_request, response) => response.writeHead(302, { location: 'https://team.cloudflareaccess.com/x' }).end(),
    /redirects to team\.cloudflareaccess\.com/,
    /sign in on the phone/,
  ],
  [
    'a proxy that changes the Host',
    (_request, response) =>
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":{"code":"access.wrong_host"}}'),
    /another Host header/,
    /proxy_set_header Host/,
  ],
  ['a tunnel without us', (_request, response) => response.writeHead(502).end(), /502: it can't reach/, /forwards/],
])('tells %s apart', async (_name, handle, detail, fix) => {
  const found = await check(await serve(handle));
  expect(found.works).toBe(false);
  expect(found.detail).toMatch(detail);
  expect(found.fix).toMatch(fix);
});

it('tells a missing name, a closed port and an invalid certificate apart', async () => {
  expect((await check('https://nowhere.invalid')).detail).toMatch(/can't resolve nowhere\.invalid/);
  expect((await check('https://localhost:1')).detail).toMatch(/doesn't answer \(ECONNREFUSED\)/);
  const url = await serve(answering);
  expect((await checkAddress(url, { probes, ca: undefined })).detail).toMatch(/certificate isn't valid for localhost/);
});

it('answers a question once', async () => {
  const { nonce } = probes.issue();
  const url = await serve(answering);
  const { default: https } = await import('node:https');
  const status = () =>
    new Promise<number>((resolve, reject) =>
      https
        .get(`${url}/${nonce}`, { ca: made.caPem }, (answer) => resolve(answer.resume().statusCode ?? 0))
        .on('error', reject),
    );
  expect([await status(), await status()]).toEqual([200, 404]);
});
