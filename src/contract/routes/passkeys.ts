import {
  Passkey,
  PasskeyCode,
  PasskeyList,
  PasskeyOptions,
  PasskeyOptionsRequest,
  PasskeyPatch,
  PasskeyRegistration,
  PasskeySettings,
} from '../passkeys.ts';
import { ById, NOTHING, route } from './route.ts';

const tag = 'passkeys';

export const listPasskeys = route({ method: 'GET', path: '/api/passkeys', tag, answer: PasskeyList });
export const savePasskeySettings = route({
  method: 'PUT',
  path: '/api/passkeys/settings',
  tag,
  role: 'admin',
  body: PasskeySettings,
  answer: PasskeySettings,
});
export const createPasskeyCode = route({
  method: 'POST',
  path: '/api/passkeys/codes',
  tag,
  role: 'admin',
  answer: PasskeyCode,
});
/** The first step of adding one: what the browser asks its authenticator for. */
export const startPasskey = route({
  method: 'POST',
  path: '/api/passkeys/options',
  tag,
  body: PasskeyOptionsRequest,
  answer: PasskeyOptions,
});
export const addPasskey = route({
  method: 'POST',
  path: '/api/passkeys',
  tag,
  body: PasskeyRegistration,
  answer: Passkey,
});
export const renamePasskey = route({
  method: 'PATCH',
  path: '/api/passkeys/:id',
  tag,
  params: ById,
  body: PasskeyPatch,
  answer: Passkey,
});
export const revokePasskey = route({
  method: 'DELETE',
  path: '/api/passkeys/:id',
  tag,
  params: ById,
  ...NOTHING,
});
