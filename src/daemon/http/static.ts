import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply } from 'fastify';
import { RUN_META } from '../../contract/proof.ts';
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
  /** Undefined: the web app is not built. */
  webDir: string | undefined;
  /** What browsers sign, see `contract/proof.ts`. */
  run: string;
}

/** The web app, read once at startup: a path that isn't in the map doesn't exist, whatever tricks it plays. */
export const staticRoutes = routesOf<StaticContext>((app, { webDir, run }) => {
  const assets = webDir ? loadAssets(webDir, run) : new Map<string, Asset>();

  app.get('/', { config: { access: 'open' }, schema: { hide: true } }, (request, reply) =>
    send(reply, '/index.html', request.headers['if-none-match']),
  );

  app.get('/*', { config: { access: 'open' }, schema: { hide: true } }, (request, reply) => {
    const path = pathOf(request.url);
    const page = !assets.has(path) && isPage(path, request.headers.accept) ? '/index.html' : path;
    return send(reply, page, request.headers['if-none-match']);
  });

  // Don't reveal which routes exist to callers without a credential.
  app.get(`${API_PREFIX}*`, { schema: { hide: true } }, (request) => {
    throw notFound('GET', request.url);
  });

  app.setNotFoundHandler((request) => {
    throw notFound(request.method, request.url);
  });

  function send(reply: FastifyReply, path: string, known: string | undefined) {
    const asset = assets.get(path);
    if (!asset && path === '/index.html') {
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
    return known === asset.etag ? reply.code(304).send() : reply.send(asset.body);
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

/** The page signs it in its first request, without a round trip to get it. */
function withRun(html: string, run: string): Buffer {
  return Buffer.from(html.replace('</head>', `<meta name="${RUN_META}" content="${run}"></head>`));
}

function loadAssets(dir: string, run: string): Map<string, Asset> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const body = extname(entry.name) === '.html' ? withRun(readFileSync(path, 'utf8'), run) : readFileSync(path);
      const url = `/${relative(dir, path).split(sep).join('/')}`;
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      const type = TYPES[extname(entry.name)] ?? 'application/octet-stream';
      return [url, { body, type, etag, isHashed: url.startsWith('/assets/') }];
    }),
  );
}
