import { json } from 'node:stream/consumers';
import type { HookPayload } from './hook-payload.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { waitFor } from './wait.ts';

export interface RecordedHook {
  /** Milliseconds since the recorder started. */
  t: number;
  payload: HookPayload;
}

export interface HookRecorder {
  url: string;
  hooks: RecordedHook[];
  /** The first hook of that event, past or future; `where` narrows it down, `after` skips hooks already seen. */
  waitForHook(event: string, options?: HookMatch): Promise<RecordedHook>;
  close(): Promise<void>;
}

export interface HookMatch {
  where?: (payload: HookPayload) => boolean;
  after?: RecordedHook;
}

export interface HookRecorderOptions {
  /** The response; a promise holds the client, as an approval does. Default: `{}`, which decides nothing. */
  answer?: (payload: HookPayload) => unknown;
}

/** Takes the daemon's place and records what the client posts. */
export async function startHookRecorder({ answer = () => ({}) }: HookRecorderOptions = {}): Promise<HookRecorder> {
  const started = performance.now();
  const hooks: RecordedHook[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    const payload = (await json(request)) as HookPayload;
    hooks.push({ t: Math.round(performance.now() - started), payload });
    const body = JSON.stringify(await answer(payload));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  return {
    ...server,
    hooks,
    waitForHook: (event, { where = () => true, after } = {}) =>
      waitFor(
        () => {
          const from = after === undefined ? 0 : hooks.indexOf(after) + 1;
          return hooks.slice(from).find(({ payload }) => payload.hook_event_name === event && where(payload));
        },
        {
          what: `the hook ${event}`,
          timeout: 60_000,
          context: () => `hooks so far: ${hooks.map(({ payload }) => payload.hook_event_name).join(', ')}`,
        },
      ),
  };
}
