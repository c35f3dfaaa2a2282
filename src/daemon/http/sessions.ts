import * as routes from '../../contract/routes/sessions.ts';
import type { Board } from '../board/board.ts';
import type { Core } from '../core.ts';
import type { Journal } from '../journal/journal.ts';
import type { DecisionCounts } from '../permissions/session-decisions.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { RemovedSessions } from '../sessions/removed-sessions.ts';
import { deleteSession, listEvents, renameSession, requireSession, timelineOf } from '../sessions/sessions.ts';
import { routesOf } from './routes.ts';
import { sendJson } from './send-json.ts';
import { serve } from './serve.ts';

interface SessionsContext {
  journal: Journal;
  live: LiveModel;
  board: Board;
  left: RemovedSessions;
  record: Core['record'];
  decisionCounts: DecisionCounts;
}

export const sessionRoutes = routesOf<SessionsContext>((app, context) => {
  serve(app, routes.listSessions, async (_request, reply) => {
    await context.board.prepareJson();
    return sendJson(reply, context.board.listJson());
  });
  serve(app, routes.getSession, ({ params }) => {
    const { board } = context;
    return board.view(params.id) ?? requireSession(context, board.localId(params.id));
  });
  serve(app, routes.renameSession, ({ params, body }) => renameSession(context, params.id, body.title));
  serve(app, routes.deleteSession, async ({ params }) => {
    await deleteSession(context, params.id);
    return null;
  });
  serve(app, routes.countSessionDecisions, ({ params }) => context.decisionCounts.of(params.id));
  serve(app, routes.getTimeline, ({ params, query }) => timelineOf(context, params.id, query));
  serve(app, routes.listSessionEvents, ({ params, query }) => listEvents(context, params.id, query));
});
