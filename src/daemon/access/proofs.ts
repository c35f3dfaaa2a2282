import { randomBytes, verify } from 'node:crypto';
import { provenText } from '../../contract/proof.ts';
import type { Devices, KnownDevice } from './devices.ts';

/** Each tab of a browser signs anew, so one device may have many; of more than this the oldest are checked again. */
const MAX_KNOWN = 2000;

/**
 * Signatures of browsers over the name of this run. One that was found right is known from then on, so that a request costs a
 * look-up; none is good for another run, so whoever listens on our port after us can use nothing of what they hear.
 */
export class Proofs {
  readonly run = randomBytes(16).toString('base64url');
  readonly #devices: Devices;
  readonly #port: () => number;
  readonly #text = Buffer.from(provenText(this.run));
  readonly #known = new Map<string, string>();

  constructor({ devices, port }: { devices: Devices; port: () => number }) {
    this.#devices = devices;
    this.#port = port;
  }

  /** `proof`: `<device id>.<signature>`. */
  find(proof: string): KnownDevice | undefined {
    const known = this.#known.get(proof);
    const id = known ?? this.#verify(proof);
    return id === undefined ? undefined : this.#devices.seen(this.#devices.get(id));
  }

  #verify(proof: string): string | undefined {
    const [id = '', signature = ''] = proof.split('.', 2);
    const key = this.#devices.keyOf(id);
    // a page at another port of this machine may hold the key for that port, and be somebody else's by now
    if (!key || key.port !== this.#port()) return undefined;
    const { publicKey } = key;
    const bytes = Buffer.from(signature, 'base64url');
    if (!verify('sha256', this.#text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)) return undefined;
    if (this.#known.size >= MAX_KNOWN) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(proof, id);
    return id;
  }
}
