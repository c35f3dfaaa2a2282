import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { listenOnLoopback } from './loopback-server.ts';

/** A message that a push service received, decrypted with the keys of its browser. */
export interface Pushed {
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The claims of the sender's signed token, if the signature is valid. */
  vapid: { aud?: string; sub?: string; exp?: number } | undefined;
}

/** A push service and a browser's keys, according to RFC 8030, 8291 and 8292. */
export async function startPushEndpoint() {
  const receiver = createECDH('prime256v1');
  receiver.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  /** Status codes for the next requests; 201 after that. */
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = await listenOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers.shift() ?? { status: 201 };
      if (answer.status === 201) {
        const text = decrypt(Buffer.concat(chunks), { receiver, auth });
        pushed.push({ headers: request.headers, text, vapid: readVapid(request.headers.authorization ?? '') });
      }
      response.writeHead(answer.status, answer.headers).end();
    });
  });
  const { host } = new URL(server.url);
  return {
    ...server,
    host,
    pushed,
    answers,
    subscription: {
      endpoint: `${server.url}/push/device-1`,
      keys: { p256dh: receiver.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
  };
}

interface BrowserKeys {
  receiver: ReturnType<typeof createECDH>;
  auth: Buffer;
}

/** RFC 8291, written from the specification: the library under test must not check itself. */
function decrypt(body: Buffer, { receiver, auth }: BrowserKeys): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20]!;
  const sender = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.getPublicKey(), sender]);
  const secret = derive(receiver.computeSecret(sender), { salt: auth, info, length: 32 });
  const key = derive(secret, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), length: 16 });
  const nonce = derive(secret, { salt, info: Buffer.from('Content-Encoding: nonce\0'), length: 12 });
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString('utf8');
}

function derive(key: Buffer, { salt, info, length }: { salt: Buffer; info: Buffer; length: number }): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, length));
}

function readVapid(authorization: string): Pushed['vapid'] {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const isRight = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return isRight ? (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Pushed['vapid']) : undefined;
}
