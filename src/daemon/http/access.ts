import type { Device, UnclearCaller } from '../../contract/access.ts';
import * as routes from '../../contract/routes/access.ts';
import type { Acting } from '../access/acting.ts';
import type { Codes } from '../access/codes.ts';
import type { Devices, KnownDevice } from '../access/devices.ts';
import { readPublicKey } from '../access/public-key.ts';
import type { UnclearCallers } from '../access/unclear-callers.ts';
import type { Core } from '../core.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface AccessContext {
  codes: Codes;
  devices: Devices;
  port: () => number;
  acting: Acting;
  unclear: UnclearCallers;
  record: Core['record'];
}

/** Every change of who may come in, or act, is on the record. */
export const accessRoutes = routesOf<AccessContext>((app, context) => {
  const { codes, devices, port, acting, unclear, record } = context;

  async function note(name: string, device: KnownDevice | undefined, detail: string): Promise<void> {
    const payload = { by: actorName(device), detail };
    await record({ sessionId: '', source: 'operator', name: `access.${name}`, payload });
  }

  serve(app, routes.createLink, async ({ body, device }) => {
    const { code, expiresAt, role } = codes.create(body);
    await note('linked', device, `Link for one ${role}${body.name ? `, “${body.name}”` : ''}`);
    return { url: `http://127.0.0.1:${port()}/pair?code=${code}`, code, expiresAt, role };
  });

  serve(app, routes.pair, async (request) => {
    const { code, key, name: given } = request.body;
    // before the code is used up
    if (key !== undefined) readPublicKey(key);
    await acting.checkCaller(request).catch((error: unknown) => {
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
  });

  serve(app, routes.createToken, async ({ body, device: by }) => {
    const { device, token } = devices.create(body);
    await note('token', by, `Token for “${device.name}”, ${device.role}`);
    return { device: { ...device, current: false }, token };
  });

  serve(app, routes.listDevices, ({ device }) => ({
    devices: devices.list().map((one) => ({ ...one, current: one.id === device?.id })),
  }));

  serve(app, routes.revokeDevice, async ({ params, device }) => {
    const { name, role } = devices.revoke(params.id);
    await note('revoked', device, `${name}, ${role}`);
    return null;
  });

  serve(app, routes.takeChallenge, (request) => acting.challenge(request));

  serve(app, routes.listUnclearCallers, () => ({ callers: unclear.list() }));
  serve(app, routes.confirmCaller, async ({ params, device }) => {
    const caller = unclear.confirm(params.code);
    await note('confirmed', device, describe(caller));
    return caller;
  });
  serve(app, routes.dismissCaller, async ({ params, device }) => {
    const caller = unclear.dismiss(params.code);
    await note('dismissed', device, describe(caller));
    return caller;
  });
});

const current = (device: KnownDevice): Device => ({ ...device, current: true });

const describe = ({ program, pid, terminal }: UnclearCaller): string =>
  `${program} (pid ${pid})${terminal ? ` in ${terminal}` : ''}`;

function browserName(userAgent = ''): string {
  const browser = /Edg|Firefox|Chrome|Safari|curl/.exec(userAgent)?.[0] ?? 'Browser';
  const system = /Android|iPhone|iPad|Mac OS X|Windows|Linux/.exec(userAgent)?.[0];
  return system ? `${browser} on ${system}` : browser;
}
