import type { FastifyRequest } from 'fastify';
import * as routes from '../../contract/routes/passkeys.ts';
import type { Passkeys } from '../access/passkeys/passkeys.ts';
import { placeOf } from './place-of.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface PasskeysContext {
  passkeys: Passkeys;
  publicUrls: () => readonly string[];
}

export const passkeyRoutes = routesOf<PasskeysContext>((app, { passkeys, publicUrls }) => {
  const place = ({ raw }: FastifyRequest) => placeOf(raw, publicUrls());

  serve(app, routes.listPasskeys, (request) => passkeys.list(request.device!, place(request)));
  serve(app, routes.savePasskeySettings, (request) =>
    passkeys.saveSettings(request.body, request.device!, place(request)),
  );
  serve(app, routes.createPasskeyCode, (request) => passkeys.createCode(request.device!, place(request)));
  serve(app, routes.startPasskey, (request) =>
    passkeys.startAdding(request.device!, place(request), request.body.code),
  );
  serve(app, routes.addPasskey, (request) => passkeys.add(request.device!, place(request), request.body));
  serve(app, routes.renamePasskey, ({ params, body, device }) => passkeys.rename(params.id, body.name, device!));
  serve(app, routes.revokePasskey, async ({ params, device }) => {
    await passkeys.revoke(params.id, device!);
    return null;
  });
});
