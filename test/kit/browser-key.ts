import { webcrypto } from 'node:crypto';
import { PROOF_KEY, PROOF_SCHEME, PROOF_SIGNATURE, provenText } from '../../src/contract/proof.ts';

export type BrowserKey = Awaited<ReturnType<typeof makeBrowserKey>>;

/** The key that a browser creates for itself, and its operations. */
export async function makeBrowserKey() {
  const { publicKey, privateKey } = await webcrypto.subtle.generateKey(PROOF_KEY, false, ['sign']);
  const spki = Buffer.from(await webcrypto.subtle.exportKey('spki', publicKey)).toString('base64url');
  return {
    spki,
    async sign({ deviceId, run }: { deviceId: string; run: string }): Promise<string> {
      const text = new TextEncoder().encode(provenText(run));
      const signature = await webcrypto.subtle.sign(PROOF_SIGNATURE, privateKey, text);
      return `${deviceId}.${Buffer.from(signature).toString('base64url')}`;
    },
    async authorization(about: { deviceId: string; run: string }): Promise<string> {
      return `${PROOF_SCHEME} ${await this.sign(about)}`;
    },
  };
}
