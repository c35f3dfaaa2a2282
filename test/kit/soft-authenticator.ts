import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/* An authenticator in software, so that tests can answer a challenge wrongly in every way a real one never would. */

interface Answering {
  challenge: string;
  origin: string;
  rpId: string;
  /** What its counter says; default: one more than before. */
  counter?: number;
  /** Default: it verified the person. */
  verifies?: boolean;
  type?: string;
}

export type SoftAuthenticator = ReturnType<typeof softAuthenticator>;

export function softAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let used = 0;

  function authenticatorData(
    { rpId, counter = ++used, verifies = true }: Answering,
    attested: Buffer = Buffer.alloc(0),
  ): Buffer {
    const head = Buffer.alloc(5);
    head[0] = 0x01 | (verifies ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, attested]);
  }

  const clientData = ({ challenge, origin }: Answering, type: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const named = (response: Record<string, string>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
  });

  return {
    id: id.toString('base64url'),
    register(asked: Answering) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        length,
        id,
        coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
      ]);
      return named({
        clientDataJSON: clientData(asked, asked.type ?? 'webauthn.create').toString('base64url'),
        attestationObject: attestationObject(authenticatorData(asked, attested)).toString('base64url'),
      });
    },
    /** The header that answers a challenge. */
    answer(asked: Answering): string {
      const client = clientData(asked, asked.type ?? 'webauthn.get');
      const data = authenticatorData(asked);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, createHash('sha256').update(client).digest()]))
        .sign(privateKey);
      const response = named({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
      return Buffer.from(JSON.stringify(response)).toString('base64url');
    },
  };
}

/** CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} */
const coseKey = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([Buffer.from('a501020326200121', 'hex'), bytes(x), Buffer.from('22', 'hex'), bytes(y)]);

/** CBOR: {fmt: "none", attStmt: {}, authData} */
const attestationObject = (data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    bytes(data),
  ]);

const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

function bytes(value: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 255]),
    value,
  ]);
}
