import { z } from 'zod';
import type { DaemonStatus } from '../../contract/daemon.ts';
import * as routes from '../../contract/routes/daemon.ts';
import { listMachines } from '../../contract/routes/machines.ts';
import type { Board } from '../board/board.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface DaemonContext {
  status: () => DaemonStatus;
  board: Board;
}

export const daemonRoutes = routesOf<DaemonContext>((app, { status, board }) => {
  app.get(
    '/healthz',
    { config: { access: 'open' }, schema: { tags: ['daemon'], response: { 200: z.object({ ok: z.boolean() }) } } },
    async () => ({ ok: true }),
  );

  serve(app, routes.getStatus, () => status());
  serve(app, listMachines, () => ({
    machines: board.machines().map((machine) => ({ ...machine, isLocal: machine.id === board.machine.id })),
  }));
  serve(app, routes.getOpenApi, () => app.describeApi());
});
