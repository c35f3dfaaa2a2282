import type { apiCaller } from './call-api.ts';
import type { InteractiveClient } from './real-client.ts';
import { say } from './scripted-answer.ts';
import { waitFor } from './wait.ts';

/** For the scenario of a test that calls `waitForHooks`. */
export const GREETING = { when: 'hello', reply: [say('Hello.')] };

interface Options {
  terminal: InteractiveClient;
  call: ReturnType<typeof apiCaller>;
  /** When the daemon was started. */
  since: number;
}

/** The client rereads its settings a while after they change. Until then it runs no hooks, and nothing else reveals when it does. */
export async function waitForHooks({ terminal, call, since }: Options): Promise<void> {
  const id = await terminal.sessionId();
  const heard = async () => {
    const { events } = (await call('GET', `/api/sessions/${id}/events?limit=1000`)).json;
    return events.some(({ name, at }: { name: string; at: number }) => name === 'Stop' && at >= since);
  };
  await waitFor(
    async () => {
      await terminal.prompt('hello');
      await terminal.waitForStatus('idle');
      return heard();
    },
    { what: 'the client to run hooks again', timeout: 60_000, interval: 1_000, context: terminal.lastScreen },
  );
}

/** A prompt in the input line, above the line's bottom border. */
const UNSENT = /❯ \S.*\n─+/;

/** An Enter that arrives while the screen is drawn is lost, and the prompt stays in the input line. */
export async function pressEnterIfUnsent(terminal: InteractiveClient): Promise<void> {
  const isUnsent = await terminal.waitForScreen(UNSENT, { timeout: 1_000 }).catch(() => undefined);
  if (isUnsent) await terminal.press('Enter');
}
