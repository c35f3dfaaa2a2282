import * as routes from '../../contract/routes/fan-outs.ts';
import type { FanOuts } from '../fan-outs/fan-outs.ts';
import { actorOf } from './orchestration.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

export const fanOutRoutes =
  ({ fanOuts }: { fanOuts: FanOuts }): Routes =>
  async (app) => {
    serve(app, routes.startFanOut, (request) => fanOuts.begin(request.body, actorOf(request)));
    serve(app, routes.listFanOuts, async ({ query }) => ({ fanOuts: await fanOuts.list(query) }));
    serve(app, routes.getFanOut, ({ params, query }) => fanOuts.get(params.id, query.project));
    serve(app, routes.keepFanOut, (request) =>
      fanOuts.keep(request.params.id, request.body, actorOf(request), request.query.project),
    );
    serve(app, routes.discardFanOut, (request) =>
      fanOuts.discard(request.params.id, actorOf(request), request.query.project),
    );
  };
