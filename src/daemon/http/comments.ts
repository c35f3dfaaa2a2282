import * as routes from '../../contract/routes/comments.ts';
import type { Comments } from '../comments/comments.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

export const commentRoutes =
  ({ comments }: { comments: Comments }): Routes =>
  async (app) => {
    serve(app, routes.listComments, ({ query }) => ({ comments: comments.list(query) }));
    serve(app, routes.addComment, ({ body, device }) => comments.add(body, actorName(device)));
    serve(app, routes.editComment, ({ params, body, device }) =>
      comments.edit(params.id, body.text, actorName(device)),
    );
    serve(app, routes.deleteComment, async ({ params, device }) => {
      await comments.remove(params.id, actorName(device));
      return null;
    });
    serve(app, routes.sendComments, ({ body, device }) => comments.send(body, actorName(device)));
  };
