import * as routes from '../../contract/routes/shells.ts';
import type { ShellCommand } from '../../contract/shells.ts';
import type { Runners } from '../drivers/runner/runners.ts';
import { DomainError } from '../errors.ts';
import type { Routes } from './routes.ts';
import { serve } from './serve.ts';

/** A flood of processes takes a moment to end: TERM, a pause, KILL, and a look at what is left. */
const ANSWER_MS = 20_000;

/** The shells of a session live in its runner, which answers. */
export const shellRoutes =
  ({ runners }: { runners: Runners }): Routes =>
  async (app) => {
    const ask = async <T>(sessionId: string, command: ShellCommand): Promise<T> => {
      const runner = runners.of(sessionId);
      if (!runner?.send)
        throw new DomainError('session.no_shells', 409, 'No built-in agent process is hosting this session.');
      return (await runners.command(runner, { kind: 'shells', command }, { timeoutMs: ANSWER_MS })) as T;
    };
    serve(app, routes.listShells, ({ params }) => ask(params.id, { do: 'list' }));
    serve(app, routes.readShell, ({ params: { id, shellId }, query: { after, search } }) =>
      ask(id, search === undefined ? { do: 'read', shellId, after } : { do: 'search', shellId, text: search }),
    );
    serve(app, routes.killShell, ({ params: { id, shellId } }) => ask(id, { do: 'kill', shellId }));
    serve(app, routes.backgroundCall, async ({ params: { id, callId } }) => {
      await ask(id, { do: 'background', callId });
      return null;
    });
    serve(app, routes.killCall, async ({ params: { id, callId } }) => {
      await ask(id, { do: 'kill_call', callId });
      return null;
    });
  };
