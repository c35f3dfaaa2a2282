import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { Prompt, PromptList, PromptRequest } from '../../contract/prompts.ts';
import type { Prompts } from '../control/prompts.ts';
import { MAX_HOOK_BYTES, readHook } from '../drivers/terminal/intake/read-hook.ts';
import { takeWaiter } from '../drivers/terminal/prompts/take-waiter.ts';
import { toOffer, type Waiter } from '../drivers/terminal/prompts/waiters.ts';
import { REWAKE_PATH } from '../drivers/terminal/settings/own-hook.ts';
import type { TerminalDriver } from '../drivers/terminal/terminal-driver.ts';
import type { HookSource } from '../peers/hook-source.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';

const Params = z.object({ id: z.string() });

interface PromptsContext {
  prompts: Prompts;
  hookSource: HookSource;
  live: LiveModel;
  terminal: TerminalDriver;
}

export const promptRoutes =
  ({ prompts, hookSource, live, terminal }: PromptsContext): Routes =>
  async (app) => {
    const tags = ['prompts'];

    app.post(
      '/api/sessions/:id/prompt',
      { schema: { tags, params: Params, body: PromptRequest, response: { 200: Prompt } } },
      async ({ params, body, device }) => prompts.send(params.id, body, actorName(device)),
    );

    app.get(
      '/api/sessions/:id/prompts',
      { schema: { tags, params: Params, response: { 200: PromptList } } },
      async ({ params }) => prompts.list(params.id),
    );

    app.delete(
      '/api/prompts/:id',
      { schema: { tags, params: Params, response: { 204: z.null() } } },
      async ({ params }, reply) => {
        await prompts.cancel(params.id);
        return reply.code(204).send(null);
      },
    );

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
  };

/** 200 with the prompt, or 204: there will be none. */
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
