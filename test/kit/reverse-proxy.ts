import { createHash, X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificates } from '../../src/daemon/remote/make-certificates.ts';

interface ProxyOptions {
  host: string;
  /** Everything below this path goes to the daemon; the rest is another app of the same host. */
  basePath: string;
  /** The daemon's port. */
  port: number;
  /** Whether the path is taken off, and the Host is replaced as many proxies do. */
  strips: boolean;
}

/** A reverse proxy over TLS, as people put in front of several apps. */
export async function startReverseProxy({ host, basePath, port, strips }: ProxyOptions) {
  const { certPem, keyPem } = await makeCertificates([host], Date.now());
  const server = createServer({ cert: certPem, key: keyPem }, (asked, answer) => {
    const url = asked.url ?? '/';
    if (url !== basePath && !url.startsWith(`${basePath}/`)) {
      answer.writeHead(404, { 'content-type': 'text/plain' }).end('another app');
      return;
    }
    const headers = {
      ...asked.headers,
      host: strips ? `127.0.0.1:${port}` : asked.headers.host,
      'x-forwarded-host': asked.headers.host,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': asked.socket.remoteAddress,
    };
    const path = strips ? url.slice(basePath.length) || '/' : url;
    const passed = request({ host: '127.0.0.1', port, method: asked.method, path, headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const spki = new X509Certificate(certPem).publicKey.export({ type: 'spki', format: 'der' });
  return {
    url: `https://${host}:${(server.address() as AddressInfo).port}${basePath}`,
    /** For a browser to trust. */
    key: createHash('sha256').update(spki).digest('base64'),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
