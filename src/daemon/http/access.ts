import type { Device, Paired, UnclearCaller } from '../../contract/access.ts';
import type { EventsOf } from '../../contract/events.ts';
import * as routes from '../../contract/routes/access.ts';
import type { Acting } from '../access/acting.ts';
import type { Codes } from '../access/codes.ts';
import type { Devices, KnownDevice } from '../access/devices.ts';
import type { PairingAsk, Pairings } from '../access/pairings.ts';
import { readPublicKey } from '../access/public-key.ts';
import type { UnclearCallers } from '../access/unclear-callers.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import { actorName } from './actor-name.ts';
import { clientAddress } from './behind-proxy.ts';
import { isFromElsewhere } from './from-elsewhere.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface AccessContext {
  codes: Codes;
  pairings: Pairings;
  publicUrls: () => readonly string[];
  devices: Devices;
  port: () => number;
  acting: Acting;
  unclear: UnclearCallers;
  record: Core['record'];
}

/** Every change to who may sign in or act is recorded. */
export const accessRoutes = routesOf<AccessContext>((app, context) => {
  const { codes, pairings, publicUrls, devices, port, acting, unclear, record } = context;

  async function note(name: EventsOf<'access'>, device: KnownDevice | undefined, detail: string): Promise<void> {
    const payload = { by: actorName(device), detail };
    await record({ sessionId: '', source: 'operator', name, payload });
  }

  serve(app, routes.createLink, async ({ body, device }) => {
    const base = body.remote ? remoteBase(publicUrls()) : `http://127.0.0.1:${port()}`;
    const { code, short, expiresAt, role } = codes.create({ ...body, short: body.remote });
    const who = `${role}${limitedTo(body.projects)}${body.name ? `, “${body.name}”` : ''}`;
    await note('access.linked', device, `Link for one ${who}`);
    // behind # it is sent to no server and written to no log on the way
    const url = body.remote ? `${base}/pair#code=${code}` : `${base}/pair?code=${code}`;
    return { url, code, ...(short === undefined ? {} : { short }), expiresAt, role };
  });

  function admit({ key, ...asked }: PairingAsk, { isRemote }: { isRemote: boolean }): Paired {
    const invited = { ...asked, isRemote };
    if (key !== undefined) return { device: current(devices.createBrowser({ ...invited, spki: key, port: port() })) };
    const { device, token } = devices.create(invited);
    return { device: current(device), token };
  }

  serve(app, routes.pair, async (request) => {
    const { code, key, name: given } = request.body;
    // Before the code is used up.
    if (key !== undefined) readPublicKey(key);
    await acting.checkCaller(request).catch((error: unknown) => {
      // An agent has it and may find another way to use it.
      codes.spoil(code);
      throw error;
    });
    const { role, projects, name } = codes.redeem(code);
    const ask = { role, projects, name: given ?? name ?? browserName(request.headers['user-agent']), key };
    if (isFromElsewhere(request.raw)) {
      const pairing = pairings.ask(ask);
      const from = clientAddress(request.raw);
      await note(
        'access.pairing',
        undefined,
        `${ask.name} at ${from} shows ${pairing.match} and waits to be confirmed`,
      );
      return { pairing };
    }
    const paired = admit(ask, { isRemote: false });
    await note('access.paired', paired.device, describePaired(ask));
    return paired;
  });

  serve(app, routes.readPairing, ({ body }) => pairings.outcome(body.id, body.secret));
  serve(app, routes.listPairings, () => ({ pairings: pairings.list() }));
  serve(app, routes.confirmPairing, async ({ params, device }) => {
    const ask = pairings.confirm(params.id, (one) => ({ state: 'confirmed', ...admit(one, { isRemote: true }) }));
    await note('access.paired', device, describePaired(ask));
    return null;
  });
  serve(app, routes.refusePairing, async ({ params, device }) => {
    const { name } = pairings.refuse(params.id);
    await note('access.pairing_refused', device, name);
    return null;
  });

  serve(app, routes.createToken, async ({ body, device: by }) => {
    const { device, token } = devices.create(body);
    await note('access.token', by, `Token for “${device.name}”, ${device.role}${limitedTo(device.projects)}`);
    return { device: { ...device, current: false }, token };
  });

  serve(app, routes.listDevices, ({ device }) => ({
    devices: devices.list().map((one) => ({ ...one, current: one.id === device?.id })),
  }));

  serve(app, routes.revokeDevice, async ({ params, device }) => {
    const { name, role } = devices.revoke(params.id);
    await note('access.revoked', device, `${name}, ${role}`);
    return null;
  });

  serve(app, routes.takeChallenge, (request) => acting.challenge(request));

  serve(app, routes.listUnclearCallers, () => ({ callers: unclear.list() }));
  serve(app, routes.confirmCaller, async ({ params, device }) => {
    const caller = unclear.confirm(params.code);
    await note('access.confirmed', device, describe(caller));
    return caller;
  });
  serve(app, routes.dismissCaller, async ({ params, device }) => {
    const caller = unclear.dismiss(params.code);
    await note('access.dismissed', device, describe(caller));
    return caller;
  });
});

const describePaired = ({ name, role, projects, key }: PairingAsk): string =>
  `${name}, ${role}${limitedTo(projects)}, by ${key === undefined ? 'a token' : 'a key'}`;

const limitedTo = (projects: readonly string[]): string =>
  projects.length === 0 ? '' : ` limited to ${projects.join(', ')}`;

function remoteBase([first]: readonly string[]): string {
  if (first !== undefined) return first;
  throw new DomainError(
    'remote.not_set_up',
    409,
    "Other devices can't reach Ground Control yet. Run gctl remote tailscale, or gctl remote lan for your own network.",
  );
}

const current = (device: KnownDevice): Device => ({ ...device, current: true });

const describe = ({ program, pid, terminal }: UnclearCaller): string =>
  `${program} (pid ${pid})${terminal ? ` in ${terminal}` : ''}`;

function browserName(userAgent = ''): string {
  const browser = /Edg|Firefox|Chrome|Safari|curl/.exec(userAgent)?.[0] ?? 'Browser';
  const system = /Android|iPhone|iPad|Mac OS X|Windows|Linux/.exec(userAgent)?.[0];
  return system ? `${browser} on ${system}` : browser;
}
