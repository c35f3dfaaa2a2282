import { z } from 'zod';
import { HooksChange, HooksPreview, HooksStatus } from '../../contract/hooks.ts';
import type { KnownDevice } from '../access/devices.ts';
import type { Core } from '../core.ts';
import type { HooksControl } from '../drivers/terminal/settings/hooks-control.ts';
import type { TerminalDriver } from '../drivers/terminal/terminal-driver.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';

interface HooksContext {
  hooks: HooksControl;
  terminal: TerminalDriver;
  record: Core['record'];
}

export const hookRoutes =
  ({ hooks, terminal, record }: HooksContext): Routes =>
  async (app) => {
    async function note(name: string, device: KnownDevice | undefined, { path }: HooksStatus): Promise<void> {
      const payload = { by: actorName(device), detail: path };
      await record({ sessionId: '', source: 'operator', name: `hooks.${name}`, payload });
    }

    app.get('/api/hooks', { schema: { tags: ['hooks'], response: { 200: HooksStatus } } }, () => hooks.status());
    app.get(
      '/api/hooks/preview',
      // around what changes it shows lines of the person's settings, and keys of theirs may stand there
      {
        config: { access: 'operator' },
        schema: {
          tags: ['hooks'],
          querystring: z.object({ change: HooksChange.default('install') }),
          response: { 200: HooksPreview },
        },
      },
      ({ query }) => hooks.preview(query.change),
    );
    app.post(
      '/api/hooks/install',
      { schema: { tags: ['hooks'], response: { 200: HooksStatus } } },
      async ({ device }) => {
        const status = await hooks.install();
        await note('installed', device, status);
        return status;
      },
    );
    app.post(
      '/api/hooks/remove',
      { schema: { tags: ['hooks'], response: { 200: HooksStatus } } },
      async ({ device }) => {
        const status = await hooks.remove();
        // nothing of our hooks stays behind in sessions that run
        terminal.stopListening();
        await note('removed', device, status);
        return status;
      },
    );
  };
