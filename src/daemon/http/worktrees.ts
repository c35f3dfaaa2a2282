import * as routes from '../../contract/routes/worktrees.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

export const worktreeRoutes =
  ({ worktrees }: { worktrees: Worktrees }): Routes =>
  async (app) => {
    serve(app, routes.listWorktrees, ({ query }) => worktrees.list(query));
    serve(app, routes.createWorktree, ({ body, device }) => worktrees.create(body, actorName(device)));
    serve(app, routes.createScratch, ({ body, device }) => worktrees.createScratch(body.name, actorName(device)));
    serve(app, routes.getProjectSetup, ({ query }) => worktrees.setupOf(query.project));
    serve(app, routes.allowProjectSetup, ({ body, device }) =>
      worktrees.allowSetup(body.project, body.hash, actorName(device)),
    );
    serve(app, routes.listSnapshots, () => ({ snapshots: worktrees.snapshots() }));
    serve(app, routes.restoreSnapshot, ({ params, body, device }) =>
      worktrees.restore(params.id, body, actorName(device)),
    );
    serve(app, routes.getWorktree, ({ params }) => worktrees.details(params.id));
    serve(app, routes.diffWorktree, ({ params }) => worktrees.diff(params.id));
    serve(app, routes.diffWorktreeFile, ({ params, query }) => worktrees.diffFile(params.id, query));
    serve(app, routes.patchWorktree, async ({ params }, reply) =>
      reply.type('text/x-diff; charset=utf-8').send(await worktrees.patch(params.id)),
    );
    serve(app, routes.mergeWorktree, ({ params, body, device }) => worktrees.merge(params.id, body, actorName(device)));
    serve(app, routes.branchWorktree, ({ params, body, device }) =>
      worktrees.branch(params.id, body, actorName(device)),
    );
    serve(app, routes.removeWorktree, ({ params, body, device }) =>
      worktrees.remove(params.id, body, actorName(device)),
    );
  };
