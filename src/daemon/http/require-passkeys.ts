import type { FastifyInstance } from 'fastify';
import { PASSKEY_HEADER } from '../../contract/passkey-actions.ts';
import { savePasskeySettings } from '../../contract/routes/passkeys.ts';
import { type AskedAction, dangerOf } from '../access/passkeys/dangerous-actions.ts';
import type { Passkeys } from '../access/passkeys/passkeys.ts';
import { DomainError } from '../errors.ts';
import { placeOf } from './place-of.ts';

interface PasskeyContext {
  passkeys: Passkeys;
  publicUrls: () => readonly string[];
  /** Throws if there is no such approval. */
  isBlind: (approvalId: string) => boolean;
}

/** Asks for a passkey before dangerous actions, on the server: a page that doesn't ask gets nothing done. */
export function requirePasskeys(app: FastifyInstance, { passkeys, publicUrls, isBlind }: PasskeyContext): void {
  const covers: AskedAction['isBlind'] = (id) => {
    try {
      return isBlind(id);
    } catch (error) {
      // there is none, which its handler says
      if (error instanceof DomainError) return false;
      throw error;
    }
  };

  app.addHook('preHandler', async (request) => {
    const { device, method, params, body, raw, headers } = request;
    const { url: path = '' } = request.routeOptions;
    if (!device) return;
    const isOwn = method === savePasskeySettings.method && path === savePasskeySettings.path;
    const asked = { params: (params ?? {}) as Record<string, unknown>, body, isBlind: covers };
    const action = isOwn ? 'passkeys' : dangerOf({ method, path }, asked);
    if (action === undefined) return;
    const assertion = headers[PASSKEY_HEADER];
    await passkeys.confirm({
      ...placeOf(raw, publicUrls()),
      device,
      action,
      request: `${method} ${request.url}`,
      body,
      assertion: typeof assertion === 'string' ? assertion : undefined,
    });
  });
}
