import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type Device, DeviceList, Link, LinkRequest, Paired, PairRequest } from '../../contract/access.ts';
import type { KnownDevice } from '../access/devices.ts';
import { readPublicKey } from '../access/public-key.ts';
import type { Context } from './context.ts';

export const accessRoutes: FastifyPluginAsyncZod<Context> = async (app, { codes, devices, port }) => {
  const tags = ['access'];

  app.post('/api/links', { schema: { tags, body: LinkRequest, response: { 200: Link } } }, async ({ body }) => {
    const { code, expiresAt, role } = codes.create(body);
    return { url: `http://127.0.0.1:${port()}/pair?code=${code}`, code, expiresAt, role };
  });

  /** The page that the printed link opens posts its code here. A GET lets nobody in: others than people open links. */
  app.post(
    '/api/pair',
    { config: { access: 'open' }, schema: { tags, body: PairRequest, response: { 200: Paired } } },
    async ({ body: { code, key, name: given }, headers }) => {
      // before the code is used up
      if (key !== undefined) readPublicKey(key);
      const { role, name } = codes.redeem(code);
      const invited = { role, name: given ?? name ?? browserName(headers['user-agent']) };
      if (key !== undefined) return { device: current(devices.createBrowser({ ...invited, spki: key, port: port() })) };
      const { device, token } = devices.create(invited);
      return { device: current(device), token };
    },
  );

  app.get('/api/devices', { schema: { tags, response: { 200: DeviceList } } }, async ({ device }) => ({
    devices: devices.list().map((one) => ({ ...one, current: one.id === device?.id })),
  }));

  app.delete(
    '/api/devices/:id',
    { schema: { tags, params: z.object({ id: z.string() }), response: { 204: z.null() } } },
    async ({ params }, reply) => {
      devices.revoke(params.id);
      return reply.code(204).send(null);
    },
  );
};

const current = (device: KnownDevice): Device => ({ ...device, current: true });

function browserName(userAgent = ''): string {
  const browser = /Edg|Firefox|Chrome|Safari|curl/.exec(userAgent)?.[0] ?? 'Browser';
  const system = /Android|iPhone|iPad|Mac OS X|Windows|Linux/.exec(userAgent)?.[0];
  return system ? `${browser} on ${system}` : browser;
}
