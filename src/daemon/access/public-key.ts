import { createPublicKey, type KeyObject } from 'node:crypto';
import { DomainError } from '../errors.ts';

/** Node's name for P-256. */
const CURVE = 'prime256v1';

/** A browser's key as it sends it: SPKI, base64url. */
export function readPublicKey(spki: string): KeyObject {
  const key = parse(spki);
  if (key?.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === CURVE) return key;
  throw new DomainError('access.bad_key', 400, 'The key must be a P-256 public key (SPKI, base64url).');
}

function parse(spki: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki, 'base64url'), format: 'der', type: 'spki' });
  } catch (error) {
    // OpenSSL reports an invalid key in many ways.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
