import { pair as pairDevice } from '../../../src/contract/routes/access.ts';
import { base64url } from '../api/base64url.ts';
import { call } from '../api/request.ts';
import { signInAgain } from '../api/send.ts';
import { loadIdentity, makeKeys, saveIdentity } from './identity.ts';
import { readPairingCode } from './pairing-code.ts';

/** Lets this browser in with the code of a link. One that was let in before keeps its key, and stays one device. */
export async function pair(code: string): Promise<void> {
  const keys = (await loadIdentity())?.keys ?? (await makeKeys());
  const key = base64url(await crypto.subtle.exportKey('spki', keys.publicKey));
  const { device } = await call(pairDevice, { body: { code, key } });
  await saveIdentity({ deviceId: device.id, keys });
  await signInAgain();
}

/** Where a printed link leads: its code is used up, and gone from the address bar before anything else happens. */
export async function takeLink(): Promise<void> {
  if (location.pathname !== '/pair') return;
  const code = readPairingCode(location.href);
  history.replaceState(null, '', '/');
  try {
    await pair(code);
  } catch (error) {
    // the sign-in page says it, or nothing does: this browser may be signed in already
    if (!(error instanceof Error)) throw error;
    history.replaceState(null, '', '/?pair=failed');
  }
}
