import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { z } from 'zod';
import {
  type AddressCheck,
  type Listener,
  ListenerRequest,
  type PublicUrlRequest,
  type RemoteAccess,
  type TunnelRequest,
} from '../../contract/remote.ts';
import type { Core } from '../core.ts';
import type { DataDir } from '../data-dir.ts';
import { DomainError } from '../errors.ts';
import { readOwnFile, replaceFile } from '../own-files.ts';
import { checkAddress } from './check-address.ts';
import { makeCertificates } from './make-certificates.ts';
import { lanNames } from './own-addresses.ts';
import { Probes } from './probes.ts';
import { Tunnels } from './tunnels.ts';

/** A slow-header attack must not hold a connection for long. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** How often both are enforced; Node's default of 30 s would triple them. */
const CHECK_MS = 2_000;
const MOST_CONNECTIONS = 500;
const MOST_URLS = 20;
const FOLDER = 'tls';

export interface RemoteOptions {
  dataDir: DataDir;
  /** The daemon's own port, on loopback. */
  port: () => number;
  record: Core['record'];
  /** Handles requests from other machines. */
  handle: () => RequestListener;
  env: NodeJS.ProcessEnv;
  now: () => number;
  onError: (error: unknown) => void;
}

/** How other machines reach the page: tunnel addresses, and our own HTTPS door. */
export class Remote {
  readonly #options: RemoteOptions;
  #server: Server | undefined;
  #error: string | null = null;
  #urls: string[];
  #proxies: BlockList;
  readonly #tunnels: Tunnels;
  readonly probes: Probes;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.probes = new Probes(options.now);
    this.#tunnels = new Tunnels({ ...options, probes: this.probes, onUrl: (url) => this.#replaceQuickUrl(url) });
    const { publicUrls, trustedProxies } = options.dataDir.preferences();
    this.#urls = publicUrls;
    this.#proxies = toBlockList(trustedProxies);
  }

  /** The guard also calls this for every request. */
  get urls(): readonly string[] {
    return this.#urls;
  }

  /** Whether this peer may say who asked, and at which address. */
  isTrusted(address: string): boolean {
    return this.#proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** Reopens the door if it was open before. A failure must not keep the daemon from starting. */
  async start(): Promise<void> {
    const { listener, tunnel } = this.#options.dataDir.preferences();
    await this.#tunnels.endLeftover();
    if (tunnel) this.#tunnels.start(tunnel);
    if (!listener) return;
    await this.#open(listener).catch((error: unknown) => {
      this.#error = (error as Error).message;
      this.#options.onError(error);
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#tunnels.close(), this.#stopListener()]);
  }

  async #stopListener(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async addUrl({ url, trustedProxies }: z.output<typeof PublicUrlRequest>, by: string): Promise<RemoteAccess> {
    if (this.#urls.length >= MOST_URLS && !this.#urls.includes(url))
      throw new DomainError(
        'remote.too_many',
        409,
        `There are already ${MOST_URLS} addresses. To remove them: gctl remote off`,
      );
    if (trustedProxies) {
      this.#options.dataDir.savePreferences({ trustedProxies });
      this.#proxies = toBlockList(trustedProxies);
    }
    const trusting = trustedProxies?.length ? `, trusting ${trustedProxies.join(', ')}` : '';
    // one path for each host: a request names the host only
    const others = this.#urls.filter((one) => new URL(one).host !== new URL(url).host);
    await this.#save([url, ...others], by, `Reachable at ${url}${trusting}`);
    return this.describe();
  }

  async open(request: ListenerRequest, by: string): Promise<RemoteAccess> {
    const { host, port, names: given, certFile, keyFile } = ListenerRequest.parse(request);
    const names = given.length > 0 ? given : lanNames();
    if (names.length === 0)
      throw new DomainError(
        'remote.no_address',
        409,
        'This machine has no network address. Name one: --name 192.168.1.5',
      );
    const own = certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : await this.#makeFiles(names);
    const wanted = port === 0 ? this.#options.port() + 1 : port;
    await this.#stopListener();
    const bound = await this.#open({ host, port: wanted, ...own });
    this.#options.dataDir.savePreferences({ listener: { host, port: bound, ...own } });
    const urls = names.map((name) => `https://${isIPv6(name) ? `[${name}]` : name}:${bound}`);
    await this.#save(
      [...urls, ...this.#urls.filter((one) => !urls.includes(one))],
      by,
      `Listening on ${urls.join(', ')}`,
    );
    return this.describe();
  }

  async close(by: string): Promise<RemoteAccess> {
    await this.stop();
    this.#error = null;
    this.#options.dataDir.savePreferences({ listener: null, tunnel: null, trustedProxies: [] });
    this.#proxies = new BlockList();
    await this.#save([], by, 'No longer reachable from other machines');
    return this.describe();
  }

  async openTunnel({ tunnel, url }: z.output<typeof TunnelRequest>, by: string): Promise<RemoteAccess> {
    await this.#tunnels.open(tunnel);
    this.#options.dataDir.savePreferences({ tunnel });
    const detail = tunnel.kind === 'ssh' ? `SSH to ${tunnel.target}, port ${tunnel.remotePort}` : 'Cloudflare';
    const urls = url === undefined ? this.#urls : [url, ...this.#urls.filter((one) => one !== url)];
    await this.#save(urls, by, `Tunnel: ${detail}${url === undefined ? '' : ` at ${url}`}`);
    return this.describe();
  }

  async closeTunnel(by: string): Promise<RemoteAccess> {
    await this.#tunnels.close();
    this.#options.dataDir.savePreferences({ tunnel: null });
    await this.#save(
      this.#urls.filter((url) => !isQuickUrl(url)),
      by,
      'The tunnel was closed',
    );
    return this.describe();
  }

  /** Whether this daemon answers at each address, asked from here. */
  checkAddresses(): Promise<AddressCheck[]> {
    const ca = this.caPem();
    return Promise.all(this.#urls.map((url) => checkAddress(url, { probes: this.probes, ca })));
  }

  async #replaceQuickUrl(url: string): Promise<void> {
    if (this.#urls.includes(url)) return;
    await this.#save([url, ...this.#urls.filter((one) => !isQuickUrl(one))], 'cloudflared', `Reachable at ${url}`);
  }

  /** The certificate a phone has to trust; undefined: we have none. */
  caPem(): string | undefined {
    const { listener } = this.#options.dataDir.preferences();
    return listener && listener.certFile === this.#file('cert.pem') ? readOwnFile(this.#file('ca.pem')) : undefined;
  }

  describe(): RemoteAccess {
    const { listener } = this.#options.dataDir.preferences();
    return {
      urls: [...this.#urls],
      listener: listener
        ? {
            host: listener.host,
            port: listener.port,
            state: this.#server ? 'listening' : 'failed',
            error: this.#error,
            certificate: this.#server ? describeCertificate(listener.certFile, this.caPem()) : null,
          }
        : null,
      tunnel: this.#tunnels.describe(),
      trustedProxies: this.#options.dataDir.preferences().trustedProxies,
    };
  }

  async #open({ host, port, certFile, keyFile }: Listener): Promise<number> {
    // a certificate of the operator's may well be a link, ours never is
    const isOurs = keyFile === this.#file('key.pem');
    const [cert, key] = [certFile, keyFile].map((path) => readPem(path, { isOurs }));
    const server = createServer(
      {
        cert,
        key,
        minVersion: 'TLSv1.2',
        headersTimeout: HEADERS_MS,
        requestTimeout: REQUEST_MS,
        connectionsCheckingInterval: CHECK_MS,
      },
      this.#options.handle(),
    );
    server.maxConnections = MOST_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => resolve());
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new DomainError(
        'remote.port_taken',
        409,
        `Port ${port} is in use by another program. Choose another: --port ${port + 1}`,
      );
    });
    server.on('error', this.#options.onError);
    this.#server = server;
    this.#error = null;
    return (server.address() as AddressInfo).port;
  }

  async #makeFiles(names: readonly string[]): Promise<{ certFile: string; keyFile: string }> {
    const { caPem, certPem, keyPem } = await makeCertificates(names, this.#options.now());
    mkdirSync(this.#options.dataDir.file(FOLDER), { recursive: true, mode: 0o700 });
    replaceFile(this.#file('ca.pem'), caPem);
    replaceFile(this.#file('cert.pem'), certPem);
    replaceFile(this.#file('key.pem'), keyPem);
    return { certFile: this.#file('cert.pem'), keyFile: this.#file('key.pem') };
  }

  #file(name: string): string {
    return join(this.#options.dataDir.path, FOLDER, name);
  }

  async #save(urls: string[], by: string, detail: string): Promise<void> {
    this.#options.dataDir.savePreferences({ publicUrls: urls });
    this.#urls = urls;
    await this.#options.record({ sessionId: '', source: 'operator', name: 'access.remote', payload: { by, detail } });
  }
}

function toBlockList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) {
    const [network = '', bits] = address.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Of a Cloudflare quick tunnel, which gets a new one at each start. */
const isQuickUrl = (url: string): boolean => new URL(url).hostname.endsWith('.trycloudflare.com');

function readPem(path: string, { isOurs }: { isOurs: boolean }): string {
  try {
    return isOurs ? readOwnFile(path) : readFileSync(path, 'utf8');
  } catch (error) {
    throw new DomainError('remote.no_certificate', 400, `Can't read ${path}: ${(error as Error).message}`);
  }
}

function describeCertificate(certFile: string, caPem: string | undefined) {
  const certificate = new X509Certificate(readFileSync(certFile));
  const names = (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''));
  return {
    names,
    expiresAt: Date.parse(certificate.validTo),
    caFingerprint: caPem === undefined ? null : new X509Certificate(caPem).fingerprint256,
  };
}
