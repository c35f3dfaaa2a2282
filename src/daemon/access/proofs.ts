import { randomBytes, verify } from 'node:crypto';
import { provenText } from '../../contract/proof.ts';
import type { Devices, KnownDevice } from './devices.ts';

/** Each tab signs separately, so one device may have many proofs. Beyond this, the oldest are verified again. */
const MAX_KNOWN = 2000;

/**
 * Browsers' signatures over the name of this run. A verified one is cached, so a request costs a lookup. None is valid for another run, so a program
 * that listens on our port after us can't use what it hears.
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
    // A page at another port of this machine may hold that port's key and belong to someone else by now.
    if (!key || key.port !== this.#port()) return undefined;
    const { publicKey } = key;
    const bytes = Buffer.from(signature, 'base64url');
    if (!verify('sha256', this.#text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)) return undefined;
    if (this.#known.size >= MAX_KNOWN) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(proof, id);
    return id;
  }
}
