import { z } from 'zod';
import {
  Challenge,
  DeviceList,
  Link,
  LinkRequest,
  Paired,
  PairingAsked,
  PairingList,
  PairingOutcome,
  PairingOutcomeRequest,
  PairRequest,
  TokenRequest,
  UnclearCaller,
  UnclearCallerList,
} from '../access.ts';
import { ById, NOTHING, route } from './route.ts';

const tag = 'access';
const ByCode = z.object({ code: z.string().max(20) });

export const createLink = route({
  method: 'POST',
  path: '/api/links',
  tag,
  role: 'admin',
  body: LinkRequest,
  answer: Link,
});
/** The page behind the printed link posts its code here. A GET must not sign anyone in, because previewers open links too. */
export const pair = route({
  method: 'POST',
  path: '/api/pair',
  tag,
  role: 'open',
  body: PairRequest,
  answer: z.union([Paired, PairingAsked]),
});
export const readPairing = route({
  method: 'POST',
  path: '/api/pair/outcome',
  tag,
  role: 'open',
  body: PairingOutcomeRequest,
  answer: PairingOutcome,
});
export const listPairings = route({ method: 'GET', path: '/api/pairings', tag, answer: PairingList });
export const confirmPairing = route({
  method: 'POST',
  path: '/api/pairings/:id/confirm',
  tag,
  role: 'admin',
  params: ById,
  ...NOTHING,
});
export const refusePairing = route({
  method: 'POST',
  path: '/api/pairings/:id/refuse',
  tag,
  role: 'admin',
  params: ById,
  ...NOTHING,
});
export const createToken = route({
  method: 'POST',
  path: '/api/tokens',
  tag,
  role: 'admin',
  body: TokenRequest,
  answer: Paired,
});
export const listDevices = route({ method: 'GET', path: '/api/devices', tag, answer: DeviceList });
export const revokeDevice = route({
  method: 'DELETE',
  path: '/api/devices/:id',
  tag,
  role: 'admin',
  params: ById,
  ...NOTHING,
});
/** For `gctl`, whose token from the data dir only allows reading. */
export const takeChallenge = route({
  method: 'POST',
  path: '/api/challenge',
  tag,
  role: 'viewer',
  answer: Challenge,
});
export const listUnclearCallers = route({ method: 'GET', path: '/api/callers', tag, answer: UnclearCallerList });
export const confirmCaller = route({
  method: 'POST',
  path: '/api/callers/:code/confirm',
  tag,
  role: 'admin',
  params: ByCode,
  answer: UnclearCaller,
});
export const dismissCaller = route({
  method: 'POST',
  path: '/api/callers/:code/dismiss',
  tag,
  role: 'admin',
  params: ByCode,
  answer: UnclearCaller,
});
