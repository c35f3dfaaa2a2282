import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import type { apiCaller } from './call-api.ts';
import { freePort } from './free-port.ts';

/** The daemon's HTTPS door at `host`, as a phone that trusts its CA reaches it. */
export async function openHttpsDoor(
  call: ReturnType<typeof apiCaller>,
  { dataDir, host }: { dataDir: string; host: string },
) {
  const port = await freePort();
  const { json } = await call('PUT', '/api/remote/listener', { host: '127.0.0.1', port, names: [host] });
  const certificate = new X509Certificate(readFileSync(join(dataDir, 'tls', 'cert.pem')));
  const ca = readFileSync(join(dataDir, 'tls', 'ca.pem'));
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return {
    url: json.urls[0] as string,
    /** For a browser to trust. */
    key: createHash('sha256').update(spki).digest('base64'),
    get: (path: string, authorization: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { host: `${host}:${port}`, authorization };
        get({ host: '127.0.0.1', port, path, ca, servername: host, headers }, resolve).on('error', reject);
      }),
  };
}
