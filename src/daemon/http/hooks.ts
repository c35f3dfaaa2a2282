import type { HooksStatus } from '../../contract/hooks.ts';
import * as routes from '../../contract/routes/hooks.ts';
import type { KnownDevice } from '../access/devices.ts';
import type { Core } from '../core.ts';
import type { HooksControl } from '../drivers/terminal/settings/hooks-control.ts';
import type { TerminalDriver } from '../drivers/terminal/terminal-driver.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface HooksContext {
  hooks: HooksControl;
  terminal: TerminalDriver;
  record: Core['record'];
}

export const hookRoutes = routesOf<HooksContext>((app, { hooks, terminal, record }) => {
  async function note(
    name: 'installed' | 'removed',
    device: KnownDevice | undefined,
    { path }: HooksStatus,
  ): Promise<void> {
    const payload = { by: actorName(device), detail: path };
    await record({ sessionId: '', source: 'operator', name: `hooks.${name}`, payload });
  }

  serve(app, routes.getHooks, () => hooks.status());
  serve(app, routes.previewHooks, ({ query }) => hooks.preview(query.change));
  serve(app, routes.installHooks, async ({ device }) => {
    const status = await hooks.install();
    await note('installed', device, status);
    return status;
  });
  serve(app, routes.removeHooks, async ({ device }) => {
    const status = await hooks.remove();
    // No trace of our hooks stays in running sessions.
    terminal.stopListening();
    await note('removed', device, status);
    return status;
  });
});
