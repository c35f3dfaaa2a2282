import { z } from 'zod';
import { AddressChecks, ListenerRequest, PublicUrlRequest, RemoteAccess, TunnelRequest } from '../remote.ts';
import { route } from './route.ts';

const tag = 'remote';

export const readRemote = route({ method: 'GET', path: '/api/remote', tag, answer: RemoteAccess });
export const addPublicUrl = route({
  method: 'POST',
  path: '/api/remote/urls',
  tag,
  role: 'admin',
  body: PublicUrlRequest,
  answer: RemoteAccess,
});
export const openListener = route({
  method: 'PUT',
  path: '/api/remote/listener',
  tag,
  role: 'admin',
  body: ListenerRequest,
  answer: RemoteAccess,
});
/** Starts the tunnel, and answers once it is connected. It is started again when it ends, and with the daemon. */
export const openTunnel = route({
  method: 'PUT',
  path: '/api/remote/tunnel',
  tag,
  role: 'admin',
  body: TunnelRequest,
  answer: RemoteAccess,
});
export const closeTunnel = route({
  method: 'DELETE',
  path: '/api/remote/tunnel',
  tag,
  role: 'admin',
  answer: RemoteAccess,
});
/** Asks at each address, from here, whether this daemon answers and whether live updates come through at once. */
export const checkAddresses = route({
  method: 'POST',
  path: '/api/remote/check',
  tag,
  role: 'admin',
  answer: AddressChecks,
});
/** What such a check asks for. Only the daemon that made the nonce answers it. */
export const answerProbe = route({
  method: 'GET',
  path: '/api/remote/probe/:nonce',
  tag,
  role: 'open',
  params: z.object({ nonce: z.string().max(64) }),
});
/** Removes every address and closes the HTTPS door. Devices stay paired. */
export const closeRemote = route({ method: 'DELETE', path: '/api/remote', tag, role: 'admin', answer: RemoteAccess });
