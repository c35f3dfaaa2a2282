import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { HOOK_TOKEN_HEADER } from '../../src/daemon/access/guard.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { generateLoad, type LoadResult, median, percentile, postRequest, sleep } from '../kit/generate-load.ts';
import { runHeadless } from '../kit/real-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';
import { openSse } from '../kit/sse-client.ts';

/** The cost of being watched: durable hook posts next to a bare echo server, latency to the browser, memory. */

const ROUNDS = 3;
const SECONDS = 3;

const payload = (session_id: string, n: number) => ({
  session_id,
  transcript_path: `/home/op/.claude/projects/-home-op-app/${session_id}.jsonl`,
  cwd: '/home/op/app',
  prompt_id: 'd26f98b4-3c6e-4062-bbac-0fa6bff4b6f4',
  permission_mode: 'default',
  effort: { level: 'medium' },
  hook_event_name: n % 2 === 0 ? 'PreToolUse' : 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: `npm run build -- --step ${n}`, description: 'Build the app once more' },
  tool_use_id: `toolu_${n}`,
});

const ECHO = `
  const server = require('node:http').createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

console.log(
  `# npm run bench ingest\n\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
);

const daemon = await startDaemonProcess({ args: ['--no-hooks'] });
const echo = await startEcho();
try {
  await comparePosts(daemon, echo.port);
  await measureStream(daemon);
  await measureMemory();
  await measureClient();
} finally {
  echo.child.kill();
  await daemon.dispose();
}

function startEcho(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ['-e', ECHO], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => child.stdout.once('data', (text) => resolve({ child, port: Number(text) })));
}

async function comparePosts({ port, credentials }: DaemonProcess, echoPort: number): Promise<void> {
  console.log('## Acknowledged, durable hook posts (synchronous=FULL) beside a bare node:http echo\n');
  console.log('| connections | echo/s | hooks/s | share of the echo | echo p50 | hook p50 | hook p99 |');
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  let alone = '';
  for (const connections of [1, 32, 256]) {
    const bodies = payload(randomUUID(), 0);
    const hookRequest = postRequest({
      port,
      path: '/api/live/hook',
      headers: { [HOOK_TOKEN_HEADER]: credentials.hookToken },
      body: bodies,
    });
    const echoRequest = postRequest({
      port: echoPort,
      path: '/api/live/hook',
      headers: { [HOOK_TOKEN_HEADER]: credentials.hookToken },
      body: bodies,
    });
    const rounds: { bare: LoadResult; hooks: LoadResult; share: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bare = await generateLoad({ port: echoPort, request: echoRequest, connections, seconds: SECONDS });
      const hooks = await generateLoad({ port, request: hookRequest, connections, seconds: SECONDS });
      rounds.push({ bare, hooks, share: hooks.perSecond / bare.perSecond });
    }
    const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
    const row = [
      connections,
      Math.round(of((round) => round.bare.perSecond)),
      Math.round(of((round) => round.hooks.perSecond)),
      `${Math.round(of((round) => round.share) * 100)} %`,
      `${Math.round(of((round) => round.bare.p50Us))} µs`,
      `${Math.round(of((round) => round.hooks.p50Us))} µs`,
      `${Math.round(of((round) => round.hooks.p99Us))} µs`,
    ];
    console.log(`| ${row.join(' | ')} |`);
    if (connections === 1) {
      const least = syncP50Us() + of((round) => round.bare.p50Us);
      alone = `One connection: p50 ${Math.round(of((round) => round.hooks.p50Us))} µs, ${(of((round) => round.hooks.p50Us) / least).toFixed(2)} times one fdatasync and the echo (${Math.round(least)} µs); aim 1.5. Load ${loadavg()[0]?.toFixed(1)}`;
    }
  }
  console.log(`\n${alone}`);
}

/** Lower bound for a commit: syncing two pages into a preallocated file. */
function syncP50Us(): number {
  const folder = mkdtempSync(join(tmpdir(), 'gc-sync-'));
  const file = openSync(join(folder, 'file'), 'w');
  const pages = Buffer.alloc(8192, 1);
  for (let n = 0; n < 100; n++) writeSync(file, pages, 0, pages.length, n * pages.length);
  fdatasyncSync(file);
  const times: number[] = [];
  for (let n = 0; n < 500; n++) {
    writeSync(file, pages, 0, pages.length, (n % 100) * pages.length);
    const start = performance.now();
    fdatasyncSync(file);
    times.push((performance.now() - start) * 1000);
  }
  rmSync(folder, { recursive: true });
  return percentile(times, 50);
}

async function measureStream({ url, port, credentials }: DaemonProcess): Promise<void> {
  const stream = await openSse({ url, token: credentials.localToken });
  await sleep(500);
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  stream.messages.length = 0;
  stream.onMessage = ({ data }) => {
    const sent = sentAt.get(data.id);
    if (sent !== undefined) latencies.push(performance.now() - sent);
    sentAt.delete(data.id);
  };
  const events = 2000;
  const start = performance.now();
  for (let n = 0; n < events; n++) {
    const wait = start + n * 5 - performance.now();
    if (wait > 0) await sleep(wait);
    const id = `latency-${n % 50}`;
    sentAt.set(id, performance.now());
    fetch(`http://127.0.0.1:${port}/api/live/hook`, {
      method: 'POST',
      headers: { [HOOK_TOKEN_HEADER]: credentials.hookToken },
      body: JSON.stringify(payload(id, n)),
    }).catch(() => undefined);
  }
  await sleep(1000);
  stream.close();
  console.log('\n## From the post to the SSE client, at 200 events/s\n');
  console.log(
    `p50 ${percentile(latencies, 50).toFixed(2)} ms, p99 ${percentile(latencies, 99).toFixed(2)} ms (${latencies.length} events)`,
  );
}

async function measureMemory(): Promise<void> {
  const fresh = await startDaemonProcess({ args: ['--no-hooks'] });
  const rss = async () => {
    const answer = await fetch(`${fresh.url}/api/status`, {
      headers: { authorization: `Bearer ${fresh.credentials.localToken}` },
    });
    return ((await answer.json()) as { rssBytes: number }).rssBytes / 2 ** 20;
  };
  const empty = await rss();
  for (let n = 0; n < 20_000; n++) {
    const body = JSON.stringify(payload(`session-${n % 1000}`, n));
    await fetch(`${fresh.url}/api/live/hook`, {
      method: 'POST',
      headers: { [HOOK_TOKEN_HEADER]: fresh.credentials.hookToken },
      body,
    });
  }
  console.log('\n## Memory\n');
  console.log(
    `RSS ${Math.round(empty)} MB after the start, ${Math.round(await rss())} MB with 1,000 live sessions after 20,000 events`,
  );
  await fresh.dispose();
}

/** How much later the model gets a tool result when we listen: two hooks per call. */
async function measureClient(): Promise<void> {
  const unheard = [];
  const heard = [];
  for (let round = 0; round < ROUNDS; round++) {
    unheard.push(...(await toolCalls({ hooks: false })));
    heard.push(...(await toolCalls({ hooks: true })));
  }
  const [without, withHooks] = [median(unheard), median(heard)];
  console.log('\n## What being watched costs a real client\n');
  console.log(
    `A tool call takes ${without.toFixed(1)} ms without hooks, ${withHooks.toFixed(1)} ms with them: ${((withHooks - without) / 2).toFixed(1)} ms for each of its two hooks (median of ${heard.length} calls)`,
  );
}

/** Milliseconds between model replies, each of which is one short Bash call. */
async function toolCalls({ hooks }: { hooks: boolean }): Promise<number[]> {
  const times: number[] = [];
  const reply = Array.from({ length: 20 }, (_, n) => () => {
    times.push(performance.now());
    return callTool('Bash', { command: `echo ${n}` });
  });
  const api = await startScriptedApi([{ when: 'go', reply: [...reply, say('Done.')] }]);
  const home = await makeClientHome({ apiUrl: api.url });
  const watcher = hooks
    ? await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } })
    : undefined;
  try {
    await runHeadless(home, 'go');
  } finally {
    await watcher?.dispose();
    await home.dispose();
    await api.close();
  }
  // the first call pays for lazy loading
  return times.slice(2).map((time, index) => time - times[index + 1]!);
}
