import { onTestFinished } from 'vitest';
import { apiCaller } from './call-api.ts';
import { makeClientHome } from './client-home.ts';
import { startDaemonProcess } from './daemon-process.ts';
import { type ClientOptions, startInteractive } from './real-client.ts';
import { type Scenario, startScriptedApi } from './scripted-api.ts';

export type DaemonWithClient = Awaited<ReturnType<typeof startDaemonWithClient>>;

/** A real client in a terminal, with a scripted model and a real daemon. Disposed of with the test. */
export async function startDaemonWithClient(scenario: Scenario, options: ClientOptions = {}) {
  const api = await startScriptedApi(scenario);
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url });
  onTestFinished(home.dispose);
  const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  onTestFinished(daemon.dispose);
  const client = await startInteractive(home, options);
  onTestFinished(client.dispose);
  const call = apiCaller(daemon);
  // tests of the undo window turn it on
  await call('PUT', '/api/undo-window', { seconds: 0 });
  return { api, home, daemon, client, call };
}

/** What the model was told about its last tool call. */
export function lastToolResult({ api }: Pick<DaemonWithClient, 'api'>): string {
  const messages = api.requests.findLast(({ kind }) => kind === 'turn')?.body.messages ?? [];
  const results = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result') : [],
  );
  return JSON.stringify(results.at(-1)?.content);
}
