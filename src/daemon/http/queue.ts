import * as routes from '../../contract/routes/queue.ts';
import type { SessionQueue } from '../queue/session-queue.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

export const queueRoutes =
  ({ queue }: { queue: SessionQueue }): Routes =>
  async (app) => {
    serve(app, routes.getQueue, () => queue.view());
    serve(app, routes.setQueueLimits, ({ body, device }) => queue.setLimits(body, actorName(device)));
    serve(app, routes.pauseQueue, ({ device }) => queue.pause(actorName(device)));
    serve(app, routes.resumeQueue, ({ device }) => queue.resume(actorName(device)));
    serve(app, routes.moveQueued, ({ params, body, device }) => queue.move(params.id, body, actorName(device)));
  };
