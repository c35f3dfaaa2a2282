import { z } from 'zod';
import {
  type Device,
  DeviceList,
  Link,
  LinkRequest,
  Paired,
  PairRequest,
  TokenRequest,
  UnclearCaller,
  UnclearCallerList,
} from '../../contract/access.ts';
import * as routes from '../../contract/routes/access.ts';
import type { Acting } from '../access/acting.ts';
import type { Codes } from '../access/codes.ts';
import type { Devices, KnownDevice } from '../access/devices.ts';
import { readPublicKey } from '../access/public-key.ts';
import type { UnclearCallers } from '../access/unclear-callers.ts';
import type { Core } from '../core.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

const CodeParams = z.object({ code: z.string().max(20) });

interface AccessContext {
  codes: Codes;
  devices: Devices;
  port: () => number;
  acting: Acting;
  unclear: UnclearCallers;
  record: Core['record'];
}

/** Every change of who may come in, or act, is on the record. */
export const accessRoutes =
  (context: AccessContext): Routes =>
  async (app) => {
    const { codes, devices, port, acting, unclear, record } = context;
    const tags = ['access'];

    async function note(name: string, device: KnownDevice | undefined, detail: string): Promise<void> {
      const payload = { by: actorName(device), detail };
      await record({ sessionId: '', source: 'operator', name: `access.${name}`, payload });
    }

    app.post(
      '/api/links',
      { schema: { tags, body: LinkRequest, response: { 200: Link } } },
      async ({ body, device }) => {
        const { code, expiresAt, role } = codes.create(body);
        await note('linked', device, `A link for one ${role}${body.name ? `, “${body.name}”` : ''}`);
        return { url: `http://127.0.0.1:${port()}/pair?code=${code}`, code, expiresAt, role };
      },
    );

    /** The page that the printed link opens posts its code here. A GET lets nobody in: others than people open links. */
    app.post(
      '/api/pair',
      { config: { access: 'open' }, schema: { tags, body: PairRequest, response: { 200: Paired } } },
      async (request) => {
        const { code, key, name: given } = request.body;
        // before the code is used up
        if (key !== undefined) readPublicKey(key);
        await acting.checkPairing(request).catch((error: unknown) => {
          // an agent has it, and may find another way to use it
          codes.spoil(code);
          throw error;
        });
        const { role, name } = codes.redeem(code);
        const invited = { role, name: given ?? name ?? browserName(request.headers['user-agent']) };
        const { device, token } =
          key === undefined
            ? devices.create(invited)
            : { device: devices.createBrowser({ ...invited, spki: key, port: port() }), token: undefined };
        await note('paired', device, `${device.name}, ${device.role}, by ${key === undefined ? 'a token' : 'a key'}`);
        return { device: current(device), ...(token === undefined ? {} : { token }) };
      },
    );

    app.post(
      '/api/tokens',
      { schema: { tags, body: TokenRequest, response: { 200: Paired } } },
      async ({ body, device: by }) => {
        const { device, token } = devices.create(body);
        await note('token', by, `A token for “${device.name}”, ${device.role}`);
        return { device: { ...device, current: false }, token };
      },
    );

    app.get('/api/devices', { schema: { tags, response: { 200: DeviceList } } }, async ({ device }) => ({
      devices: devices.list().map((one) => ({ ...one, current: one.id === device?.id })),
    }));

    app.delete(
      '/api/devices/:id',
      { schema: { tags, params: z.object({ id: z.string() }), response: { 204: z.null() } } },
      async ({ params, device }, reply) => {
        const { name, role } = devices.revoke(params.id);
        await note('revoked', device, `${name}, ${role}`);
        return reply.code(204).send(null);
      },
    );

    /** For `gctl`, which acts with the token of the data dir: that alone only reads. */
    serve(app, routes.takeChallenge, (request) => acting.challenge(request));

    app.get('/api/callers', { schema: { tags, response: { 200: UnclearCallerList } } }, async () => ({
      callers: unclear.list(),
    }));

    app.post(
      '/api/callers/:code/confirm',
      { schema: { tags, params: CodeParams, response: { 200: UnclearCaller } } },
      async ({ params, device }) => {
        const caller = unclear.confirm(params.code);
        await note('confirmed', device, describe(caller));
        return caller;
      },
    );

    app.post(
      '/api/callers/:code/dismiss',
      { schema: { tags, params: CodeParams, response: { 200: UnclearCaller } } },
      async ({ params, device }) => {
        const caller = unclear.dismiss(params.code);
        await note('dismissed', device, describe(caller));
        return caller;
      },
    );
  };

const current = (device: KnownDevice): Device => ({ ...device, current: true });

const describe = ({ program, pid, terminal }: UnclearCaller): string =>
  `${program} (pid ${pid})${terminal ? ` in ${terminal}` : ''}`;

function browserName(userAgent = ''): string {
  const browser = /Edg|Firefox|Chrome|Safari|curl/.exec(userAgent)?.[0] ?? 'Browser';
  const system = /Android|iPhone|iPad|Mac OS X|Windows|Linux/.exec(userAgent)?.[0];
  return system ? `${browser} on ${system}` : browser;
}
