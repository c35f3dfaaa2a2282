import type { Paired, PairingAsked } from '../../../src/contract/access.ts';
import { pair as pairDevice, readPairing } from '../../../src/contract/routes/access.ts';
import { BASE_PATH } from '../api/base-path.ts';
import { base64url } from '../api/base64url.ts';
import { call } from '../api/request.ts';
import { signInAgain } from '../api/send.ts';
import { loadIdentity, makeKeys, saveIdentity } from './identity.ts';
import { readPairingCode } from './pairing-code.ts';

const ASK_AGAIN_MS = 1_000;

/**
 * Signs this browser in with a link's code. A browser that signed in before keeps its key and stays one device. On another machine,
 * someone has to confirm it there first: `onMatch` gets the numbers to compare.
 */
export async function pair(code: string, onMatch: (match: string) => void): Promise<void> {
  const keys = (await loadIdentity())?.keys ?? (await makeKeys());
  const key = base64url(await crypto.subtle.exportKey('spki', keys.publicKey));
  const answer = await call(pairDevice, { body: { code, key } });
  const { device } = 'pairing' in answer ? await waitForConfirmation(answer.pairing, onMatch) : answer;
  await saveIdentity({ deviceId: device.id, keys });
  await signInAgain();
}

async function waitForConfirmation(
  { id, secret, match }: PairingAsked['pairing'],
  onMatch: (match: string) => void,
): Promise<Paired> {
  onMatch(match);
  for (;;) {
    const outcome = await call(readPairing, { body: { id, secret } });
    if (outcome.state === 'confirmed') return outcome;
    if (outcome.state === 'refused') throw new Error('Pairing was refused on the machine.');
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** Opens a printed link: its code is used and removed from the address bar before anything else happens. */
export async function takeLink(): Promise<void> {
  if (location.pathname !== `${BASE_PATH}/pair`) return;
  const code = readPairingCode(location.href);
  history.replaceState(null, '', `${BASE_PATH}/`);
  const screen = matchScreen();
  try {
    await pair(code, screen.show);
  } catch (error) {
    // The sign-in page reports a failure. Otherwise there's nothing to report: this browser may already be signed in.
    if (!(error instanceof Error)) throw error;
    history.replaceState(null, '', `${BASE_PATH}/?pair=failed`);
  } finally {
    screen.close();
  }
}

/** Over the page, which is being built meanwhile and must not be touched. */
function matchScreen(): { show: (match: string) => void; close: () => void } {
  const page = document.getElementById('root');
  const screen = document.createElement('div');
  screen.setAttribute('role', 'dialog');
  screen.setAttribute('aria-modal', 'true');
  screen.setAttribute('aria-label', 'Confirm this device');
  screen.className = 'fixed inset-0 z-50 grid place-items-center bg-bay p-6 text-center';
  return {
    show(match) {
      const text = document.createElement('p');
      text.className = 'text-ink-2';
      text.textContent = 'Confirm on your computer that it shows the same code:';
      const code = document.createElement('p');
      code.className = 'mt-3 font-mono text-3xl font-semibold';
      code.textContent = match;
      const box = document.createElement('div');
      box.setAttribute('role', 'status');
      box.append(text, code);
      screen.append(box);
      page?.setAttribute('inert', '');
      document.body.append(screen);
    },
    close() {
      page?.removeAttribute('inert');
      screen.remove();
    },
  };
}
