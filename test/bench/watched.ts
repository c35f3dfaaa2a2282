import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { type ClientHome, makeClientHome } from '../kit/client-home.ts';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { median } from '../kit/generate-load.ts';
import { runHeadless } from '../kit/real-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';

/**
 * What being watched costs a complete headless run of five tools, next to a bare HTTP sink that gets the same events. Then the same hooks
 * in a folder that the daemon doesn't follow, leaving out one at a time, to see what each costs the client.
 */

const ROUNDS = Number(process.env.ROUNDS ?? 15);
const TOOLS = 5;
/** The hooks that a headless run calls. */
const CALLED = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];
/** These also have a command that waits for prompts in terminals. */
const WAITING = ['SessionStart', 'UserPromptSubmit', 'Stop'];

type Hooks = Record<string, { hooks: object[] }[]>;

const calls = Array.from({ length: TOOLS }, (_, n) => callTool('Bash', { command: `echo ${n}` }));
const api = await startScriptedApi([{ when: 'go', reply: [...calls, say('Done.')] }]);
const homes: ClientHome[] = [];
const newHome = async (hooks?: object) => {
  const home = await makeClientHome({ apiUrl: api.url, settings: hooks ? { hooks } : {} });
  homes.push(home);
  return home;
};

const sink = createServer((request, response) => {
  request.resume();
  request.on('end', () =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '2' }).end('{}'),
  );
});
sink.keepAliveTimeout = 0;
await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
const toSink = (events: string[]) =>
  Object.fromEntries(events.map((event) => [event, [{ hooks: [{ type: 'http', url, timeout: 5 }] }]]));

const watched = await newHome();
const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: watched.configDir } });
try {
  const { hooks } = JSON.parse(readFileSync(join(watched.configDir, 'settings.json'), 'utf8')) as { hooks: Hooks };
  const without = (events: string[]) =>
    Object.fromEntries(Object.entries(hooks).filter(([event]) => !events.includes(event)));
  const withoutWaiting = () => {
    const fewer = structuredClone(hooks);
    for (const event of WAITING) fewer[event]?.[0]?.hooks.splice(1);
    return fewer;
  };
  const runs = new Map<string, { home: ClientHome; times: number[] }>();
  const add = (name: string, home: ClientHome) => runs.set(name, { home, times: [] });
  add('unwatched', await newHome());
  add('watched', watched);
  add('bare sink, same events', await newHome(toSink(Object.keys(hooks))));
  add('hooks alone', await newHome(hooks));
  for (const event of CALLED) add(`hooks without ${event}`, await newHome(without([event])));
  add('hooks without waiting for prompts', await newHome(withoutWaiting()));

  for (let round = 0; round <= ROUNDS; round++) {
    for (const { home, times } of runs.values()) {
      const started = performance.now();
      const { code, stdout } = await runHeadless(home, 'go');
      if (code !== 0 || stdout !== 'Done.\n') throw new Error(`the run failed (${code}): ${stdout}`);
      // the first run of each fills caches
      if (round > 0) times.push(performance.now() - started);
    }
  }

  const base = median(runs.get('unwatched')!.times);
  const [load] = loadavg();
  console.log(
    `# npm run bench watched\n\n${cpus().length} cores, load ${load!.toFixed(1)}, medians of ${ROUNDS} interleaved runs\n`,
  );
  console.log('| run of five tools | median | more | of unwatched | best |\n| --- | ---: | ---: | ---: | ---: |');
  for (const [name, { times }] of runs) {
    const middle = median(times);
    const cells = [name, `${middle.toFixed(0)} ms`, `${(middle - base).toFixed(0)} ms`, (middle / base).toFixed(2)];
    console.log(`| ${[...cells, `${Math.min(...times).toFixed(0)} ms`].join(' | ')} |`);
  }
} finally {
  await daemon.dispose();
  for (const home of homes) await home.dispose();
  sink.close();
  sink.closeAllConnections();
  await api.close();
}
