import * as routes from '../../contract/routes/remote.ts';
import { DomainError } from '../errors.ts';
import type { Remote } from '../remote/remote.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';
import { trustPage } from './trust-page.ts';

export const remoteRoutes = routesOf<{ remote: Remote }>((app, { remote }) => {
  serve(app, routes.readRemote, () => remote.describe());
  serve(app, routes.addPublicUrl, ({ body, device }) => remote.addUrl(body, actorName(device)));
  serve(app, routes.openListener, ({ body, device }) => remote.open(body, actorName(device)));
  serve(app, routes.openTunnel, ({ body, device }) => remote.openTunnel(body, actorName(device)));
  serve(app, routes.closeTunnel, ({ device }) => remote.closeTunnel(actorName(device)));
  serve(app, routes.checkAddresses, async () => ({ checks: await remote.checkAddresses() }));
  serve(app, routes.answerProbe, ({ params }, reply) => {
    reply.hijack();
    if (remote.probes.answer(params.nonce, reply.raw)) return reply;
    reply.raw.writeHead(404, { 'content-length': 0 }).end();
    return reply;
  });
  serve(app, routes.closeRemote, ({ device }) => remote.close(actorName(device)));

  // a phone needs it before it can trust us; there is no secret in it
  app.get('/groundcontrol-ca.pem', { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
    const pem = remote.caPem();
    if (pem === undefined) throw new DomainError('remote.no_ca', 404, 'There is no generated certificate to trust.');
    return reply.header('content-type', 'application/x-x509-ca-cert').send(pem);
  });

  app.get('/trust', { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) => {
    const fingerprint = remote.describe().listener?.certificate?.caFingerprint;
    if (!fingerprint) throw new DomainError('remote.no_ca', 404, 'There is no generated certificate to trust.');
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .send(trustPage(fingerprint));
  });
});
