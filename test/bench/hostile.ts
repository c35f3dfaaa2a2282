import { request } from 'node:http';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { percentile, sleep } from '../kit/generate-load.ts';

/** How long other callers wait (the slowest /healthz) while one caller does its worst. Each round uses fresh sessions. */

const ROUNDS = 3;
const daemon = await startDaemonProcess({ args: ['--no-hooks'] });
const hookHeaders = { 'x-groundcontrol-token': daemon.credentials.hookToken };
const ownHeaders = { authorization: `Bearer ${daemon.credentials.localToken}` };

let sessions = 0;
const newSession = () => `hostile-${++sessions}`;
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n % 10]));
const call = (event: string, tool_input: unknown) =>
  Buffer.from(
    JSON.stringify({ session_id: newSession(), hook_event_name: event, tool_name: 'Write', tool_input, cwd: '/w' }),
  );
const hook = (body: Buffer) => send('POST', '/api/live/hook', hookHeaders, body);
const get = (path: string) => send('GET', path, ownHeaders);

try {
  console.log('# npm run bench hostile\n\n| while | slowest /healthz |\n| --- | ---: |');
  await measure('nothing happens', () => sleep(1000));
  const million = call('PreToolUse', keys(1_000_000));
  await measure('one hook with a million keys (13 MB)', () => hook(million));
  const justUnder = call('PreToolUse', keys(14_000));
  await measure('one hook with as many keys as are read (28,000 values)', () => hook(justUnder));
  const file = call('PreToolUse', { file_path: '/w/a', content: 'x "y" \n'.repeat(1_600_000) });
  await measure('one hook with a file of 15 MB', () => hook(file));
  await measure('eight of them at once', () => Promise.all(Array.from({ length: 8 }, () => hook(file))));
  const deep = Buffer.from(`{"session_id":"d","event_type":"x","content":${'['.repeat(1e5)}${']'.repeat(1e5)}}`);
  await measure('JSON 100,000 levels deep to /events', () =>
    send('POST', '/events', { ...hookHeaders, 'content-type': 'application/json' }, deep),
  );
  await crowd(500);
  await fillBoard(10_000);
  await measure('GET /api/sessions with 10,000 sessions', () => get('/api/sessions'));
  await measure('30 of them at once', () => Promise.all(Array.from({ length: 30 }, () => get('/api/sessions'))));
  await measure('GET /api/openapi.json', () => get('/api/openapi.json'));
  await measure('statistics over 27 years', () => get('/api/stats?from=2000-01-01&to=2026-12-31'));
  await measure('a page of the audit log', () => get('/api/audit?limit=500'));
  await measure('the whole audit log', () => get('/api/audit/export'));
  const query = encodeURIComponent('a* OR "b NEAR('.repeat(60));
  await measure('a search made to be slow', () => get(`/api/search?q=${query}`));
  await fillSession('long', 100_000);
  await measure('the timeline of a session with 100,000 events', () => get('/api/sessions/long/timeline'));
  await measure('1,000 of its events', () => get('/api/sessions/long/events?limit=1000'));
  const rules = Array.from({ length: 10_000 }, (_, n) => ({
    pattern: { toolName: 'Bash', parameters: { command: `run ${n} *` } },
    decision: 'allow',
  }));
  const operator = { authorization: `Bearer ${daemon.operatorToken}`, 'content-type': 'application/json' };
  await measure('an import of 10,000 rules', () =>
    send('POST', '/api/rules/import', operator, Buffer.from(JSON.stringify({ rules }))),
  );
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  await measure("a list of MCP's tools", () =>
    send(
      'POST',
      '/mcp',
      { ...operator, accept: 'application/json, text/event-stream' },
      Buffer.from(JSON.stringify(listing)),
    ),
  );
} finally {
  await daemon.dispose();
}

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const slowest: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    let worst = 0;
    while (!isDone) {
      const start = performance.now();
      await send('GET', '/healthz', {});
      worst = Math.max(worst, performance.now() - start);
    }
    await working;
    slowest.push(worst);
  }
  console.log(`| ${name} | ${Math.round(percentile(slowest, 50))} ms (worst ${Math.round(Math.max(...slowest))}) |`);
}

async function fillBoard(count: number): Promise<void> {
  for (let made = 0; made < count; made += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        hook(
          Buffer.from(
            JSON.stringify({ session_id: `board-${made + n}`, hook_event_name: 'UserPromptSubmit', prompt: 'Fix it' }),
          ),
        ),
      ),
    );
}

async function fillSession(session_id: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 200)
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const tool = { tool_name: 'Bash', tool_use_id: `t${(made + n) >> 1}`, tool_input: { command: `ls ${made}` } };
        const hook_event_name = n % 2 === 0 ? 'PreToolUse' : 'PostToolUse';
        return hook(Buffer.from(JSON.stringify({ session_id, hook_event_name, ...tool })));
      }),
    );
}

/** Hooks next to a large audience. Hooks take priority. */
async function crowd(size: number): Promise<void> {
  const alone = await hookTimes();
  const streams = Array.from({ length: size }, () => {
    const stream = request(`${daemon.url}/api/live/stream?after=1000000000`, { headers: ownHeaders });
    stream.on('response', (response) => response.resume());
    stream.on('error', () => undefined);
    stream.end();
    return stream;
  });
  await sleep(15_000);
  const watched = await hookTimes();
  for (const stream of streams) stream.destroy();
  console.log(
    `| (hooks, 200/s: p99 ${percentile(alone, 99).toFixed(1)} ms with nobody watching, ` +
      `${percentile(watched, 99).toFixed(1)} ms with ${size} streams open) | |`,
  );
}

async function hookTimes(): Promise<number[]> {
  const times: number[] = [];
  const pending: Promise<unknown>[] = [];
  for (let n = 0; n < 1000; n++) {
    const start = performance.now();
    const body = {
      session_id: `board-${n % 50}`,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { n },
    };
    pending.push(hook(Buffer.from(JSON.stringify(body))).then(() => times.push(performance.now() - start)));
    await sleep(5);
  }
  await Promise.all(pending);
  return times;
}

function send(method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(
      daemon.url + path,
      { method, headers: body ? { ...headers, 'content-length': body.length } : headers },
      (response) => {
        response.resume();
        response.on('end', resolve);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}
