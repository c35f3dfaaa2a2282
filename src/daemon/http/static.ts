import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply } from 'fastify';
import { BASE_META, RUN_META } from '../../contract/proof.ts';
import { API_PREFIX } from '../../contract/routes/route.ts';
import { DomainError } from '../errors.ts';
import { routesOf } from './routes.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const PAGE = '/index.html';

const POLICY = [
  "default-src 'self'",
  // Conversation images are fetched with credentials and shown from memory.
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

interface Asset {
  body: Buffer;
  type: string;
  etag: string;
  isHashed: boolean;
}

interface StaticContext {
  /** The path below which a proxy serves what is asked for at this host. */
  basePathOf: (host: string | undefined) => string;
  /** Undefined: the web app is not built. */
  webDir: string | undefined;
  /** What browsers sign, see `contract/proof.ts`. */
  run: string;
}

/** The web app, read once at startup: a path that isn't in the map doesn't exist, whatever tricks it plays. */
export const staticRoutes = routesOf<StaticContext>((app, { webDir, run, basePathOf }) => {
  const assets = webDir ? loadAssets(webDir) : new Map<string, Asset>();
  const pages = new Map<string, Asset>();

  /** The page names its files by their whole path, since it is served at every address of the app. */
  function pageAt(basePath: string): Asset | undefined {
    const asset = assets.get(PAGE);
    if (!asset) return undefined;
    const known = pages.get(basePath) ?? toAsset(PAGE, toPage(asset.body.toString('utf8'), { run, basePath }));
    pages.set(basePath, known);
    return known;
  }

  app.get('/', { config: { access: 'open' }, schema: { hide: true } }, (request, reply) =>
    send(reply, PAGE, request.headers),
  );

  app.get('/*', { config: { access: 'open' }, schema: { hide: true } }, (request, reply) => {
    const path = pathOf(request.url);
    const page = !assets.has(path) && isPage(path, request.headers.accept) ? PAGE : path;
    return send(reply, page, request.headers);
  });

  // Don't reveal which routes exist to callers without a credential.
  app.get(`${API_PREFIX}*`, { schema: { hide: true } }, (request) => {
    throw notFound('GET', request.url);
  });

  app.setNotFoundHandler((request) => {
    throw notFound(request.method, request.url);
  });

  function send(reply: FastifyReply, path: string, headers: IncomingHttpHeaders) {
    const asset = path === PAGE ? pageAt(basePathOf(headers.host)) : assets.get(path);
    if (!asset && path === PAGE) {
      throw new DomainError('web.not_built', 503, "The web app isn't built. Run `npm run build`.");
    }
    if (!asset) throw notFound('GET', path);
    reply.headers({
      'content-type': asset.type,
      etag: asset.etag,
      'cache-control': asset.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    return headers['if-none-match'] === asset.etag ? reply.code(304).send() : reply.send(asset.body);
  }
});

/** Not with the URL class, which would normalize or reject the path. */
const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

/** The app's own addresses have no file: opened or reloaded there, the app finds the page. */
function isPage(path: string, accept: string | undefined): boolean {
  return extname(path) === '' && !path.startsWith(API_PREFIX) && (accept ?? '').includes('text/html');
}

function notFound(method: string, path: string): DomainError {
  return new DomainError(
    'request.not_found',
    404,
    `No route ${method} ${path.slice(0, 200)}. GET /api/openapi.json lists all routes.`,
  );
}

/** The page signs the run in its first request, without a round trip to get it. */
function toPage(html: string, { run, basePath }: { run: string; basePath: string }): Buffer {
  const metas = `<meta name="${RUN_META}" content="${run}"><meta name="${BASE_META}" content="${basePath}">`;
  return Buffer.from(html.replaceAll(/(href|src)="\.\//g, `$1="${basePath}/`).replace('</head>', `${metas}</head>`));
}

function loadAssets(dir: string): Map<string, Asset> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const url = `/${relative(dir, path).split(sep).join('/')}`;
      return [url, toAsset(url, readFileSync(path))];
    }),
  );
}

function toAsset(url: string, body: Buffer): Asset {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const type = TYPES[extname(url)] ?? 'application/octet-stream';
  return { body, type, etag, isHashed: url.startsWith('/assets/') };
}
