import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { DeviceList, Link, LinkRequest, Paired, PairRequest } from '../../contract/access.ts';
import type { Invitation } from '../access/codes.ts';
import { cookieName } from '../access/guard.ts';
import { DomainError } from '../errors.ts';
import type { Context } from './context.ts';

const YEAR_S = 365 * 24 * 3600;

export const accessRoutes: FastifyPluginAsyncZod<Context> = async (app, { codes, devices, port }) => {
  const tags = ['access'];

  app.post('/api/links', { schema: { tags, body: LinkRequest, response: { 200: Link } } }, async ({ body }) => {
    const { code, expiresAt, role } = codes.create(body);
    return { url: `http://127.0.0.1:${port()}/pair?code=${code}`, code, expiresAt, role };
  });

  /** Where the printed link leads: the code becomes a cookie and is gone from the address bar. */
  app.get(
    '/pair',
    { config: { access: 'open' }, schema: { hide: true, querystring: z.object({ code: z.string().optional() }) } },
    async ({ query, headers }, reply) => {
      try {
        signIn(reply, codes.redeem(query.code ?? ''), headers['user-agent']);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return reply.redirect('/?pair=failed', 303);
      }
      return reply.redirect('/', 303);
    },
  );

  app.post(
    '/api/pair',
    { config: { access: 'open' }, schema: { tags, body: PairRequest, response: { 200: Paired } } },
    async ({ body, headers }, reply) => {
      const invitation = codes.redeem(body.code);
      return signIn(reply, { ...invitation, name: body.name ?? invitation.name }, headers['user-agent']);
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

  function signIn(
    reply: FastifyReply,
    { role, name }: Pick<Invitation, 'role' | 'name'>,
    userAgent: string | undefined,
  ) {
    const { device, token } = devices.create({ role, name: name ?? browserName(userAgent) });
    reply.header('set-cookie', `${cookieName(port())}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${YEAR_S}`);
    return { device: { ...device, current: true }, token };
  }
};

function browserName(userAgent = ''): string {
  const browser = /Edg|Firefox|Chrome|Safari|curl/.exec(userAgent)?.[0] ?? 'Browser';
  const system = /Android|iPhone|iPad|Mac OS X|Windows|Linux/.exec(userAgent)?.[0];
  return system ? `${browser} on ${system}` : browser;
}
