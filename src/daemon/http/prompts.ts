import type { ServerResponse } from 'node:http';
import { REWAKE_PATH } from '../../contract/routes/hooks.ts';
import * as routes from '../../contract/routes/prompts.ts';
import type { Prompts } from '../control/prompts.ts';
import { MAX_HOOK_BYTES, readHook } from '../drivers/terminal/intake/read-hook.ts';
import { takeWaiter } from '../drivers/terminal/prompts/take-waiter.ts';
import { toOffer, type Waiter } from '../drivers/terminal/prompts/waiters.ts';
import type { TerminalDriver } from '../drivers/terminal/terminal-driver.ts';
import type { HookSource } from '../peers/hook-source.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface PromptsContext {
  prompts: Prompts;
  hookSource: HookSource;
  live: LiveModel;
  terminal: TerminalDriver;
}

export const promptRoutes = routesOf<PromptsContext>(async (app, { prompts, hookSource, live, terminal }) => {
  serve(app, routes.sendPrompt, ({ params, body, device }) => prompts.send(params.id, body, actorName(device)));
  serve(app, routes.listPrompts, ({ params }) => prompts.list(params.id));
  serve(app, routes.cancelPrompt, async ({ params }) => {
    await prompts.cancel(params.id);
    return null;
  });

  await app.register(async (waiting) => {
    waiting.removeAllContentTypeParsers();
    waiting.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    waiting.post(
      REWAKE_PATH,
      { bodyLimit: MAX_HOOK_BYTES, config: { access: 'hook' }, schema: { hide: true } },
      async (request, reply) => {
        const { payload } = readHook((request.body as Buffer | undefined) ?? Buffer.alloc(0));
        await hookSource.check(payload.session_id, request.raw);
        reply.hijack();
        takeWaiter(toOffer(payload), toWaiter(reply.raw), { live, terminal, prompts });
      },
    );
  });
});

/** 200 with the prompt, or 204 if there will be none. */
function toWaiter(response: ServerResponse): Waiter {
  return {
    wake: (text) =>
      new Promise((resolve) => {
        if (response.destroyed) return resolve(false);
        response.once('close', () => resolve(response.writableFinished));
        response.once('finish', () => resolve(true));
        response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
      }),
    release: () => void response.writeHead(204).end(),
    onHangUp: (listener) => void response.once('close', listener),
  };
}
