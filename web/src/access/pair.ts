import { pair as pairDevice } from '../../../src/contract/routes/access.ts';
import { base64url } from '../api/base64url.ts';
import { call } from '../api/request.ts';
import { signInAgain } from '../api/send.ts';
import { loadIdentity, makeKeys, saveIdentity } from './identity.ts';
import { readPairingCode } from './pairing-code.ts';

/** Signs this browser in with a link's code. A browser that signed in before keeps its key and stays one device. */
export async function pair(code: string): Promise<void> {
  const keys = (await loadIdentity())?.keys ?? (await makeKeys());
  const key = base64url(await crypto.subtle.exportKey('spki', keys.publicKey));
  const { device } = await call(pairDevice, { body: { code, key } });
  await saveIdentity({ deviceId: device.id, keys });
  await signInAgain();
}

/** Opens a printed link: its code is used and removed from the address bar before anything else happens. */
export async function takeLink(): Promise<void> {
  if (location.pathname !== '/pair') return;
  const code = readPairingCode(location.href);
  history.replaceState(null, '', '/');
  try {
    await pair(code);
  } catch (error) {
    // The sign-in page reports a failure. Otherwise there's nothing to report: this browser may already be signed in.
    if (!(error instanceof Error)) throw error;
    history.replaceState(null, '', '/?pair=failed');
  }
}
