import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { percentile, sleep } from '../kit/generate-load.ts';

/**
 * 200 streams and 500 updates a second: update latency and cost, next to a bare node:http server that gets the same messages and writes
 * them to as many clients. The cost of ingesting a hook is measured separately, without clients.
 */

const CLIENTS = 200;
const PER_SECOND = 500;
const SECONDS = Number(process.env.SECONDS ?? 8);
const STALLED = 20;
const SESSIONS = 50;
const TICKS_PER_SECOND = 100;

/** Sends the body of each post to every client. */
const BARE = `
const clients = new Set();
require('node:http').createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 250\\n\\n');
    clients.add(response);
    response.on('close', () => clients.delete(response));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    for (const client of clients) client.write(body);
    response.end('{}');
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** Reads the streams in a separate process. Ten of them check the timestamp in each message. */
const READERS = `
const [port, path, token, count, stalled] = JSON.parse(process.argv[1]);
const late = [];
let open = 0;
let bytes = 0;
let from = Infinity;
for (let n = 0; n < count; n++) {
  const socket = require('node:net').connect(port, '127.0.0.1');
  socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: 127.0.0.1:' + port + '\\r\\nAuthorization: Bearer ' + token + '\\r\\n\\r\\n');
  let isFirst = true;
  const seen = new Set();
  socket.on('data', (chunk) => {
    if (isFirst) { isFirst = false; if (++open === count) console.log('open'); if (n >= count - stalled) socket.pause(); }
    bytes += chunk.length;
    if (n >= 10) return;
    const now = performance.timeOrigin + performance.now();
    for (const [, at] of chunk.toString('latin1').matchAll(/sent@(\\d+\\.\\d+)/g)) {
      if (seen.has(at)) continue;
      seen.add(at);
      if (Number(at) > from) late.push(Math.round((now - Number(at)) * 1000) / 1000);
    }
  });
  socket.on('error', () => undefined);
}
process.stdin.on('data', (line) => {
  if (String(line).trim() === 'start') { from = performance.timeOrigin + performance.now(); return; }
  process.stdout.write(JSON.stringify({ late, bytes }), () => process.exit(0));
});
`;

interface Target {
  pid: number;
  port: number;
  path: string;
  token: string;
  /** Sends one update with this marker. */
  update: (n: number, mark: string) => Promise<void>;
}

interface Result {
  p50: number;
  p99: number;
  cpu: number;
  rss: number;
  updates: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const mark = () => `sent@${(performance.timeOrigin + performance.now()).toFixed(3)}`;

const daemon = await startDaemonProcess({ args: ['--no-hooks'] });
const bare = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(bare.stdout, 'data')) as [Buffer];
  const barePort = Number(line.toString());
  const daemonPort = Number(new URL(daemon.url).port);
  const hookHeaders = { 'x-groundcontrol-token': daemon.credentials.hookToken, 'content-type': 'application/json' };
  const ours: Target = {
    pid: daemon.pid,
    port: daemonPort,
    path: '/api/live/stream',
    token: daemon.credentials.localToken,
    update: (n, text) =>
      post(daemonPort, '/api/live/hook', hookHeaders, {
        session_id: `fan-${n % SESSIONS}`,
        cwd: '/work/app',
        hook_event_name: 'UserPromptSubmit',
        prompt: text,
      }),
  };
  for (let n = 0; n < SESSIONS; n++) await ours.update(n, 'Begin');
  const sample = await sampleMessage(ours);
  const theirs: Target = {
    pid: bare.pid!,
    port: barePort,
    path: '/',
    token: 'none',
    update: (_n, text) => post(barePort, '/', {}, sample.replaceAll(/sent@[\d.]+/g, text)),
  };
  console.log(
    `# npm run bench fanout (${CLIENTS} streams, ${PER_SECOND} updates/s, ${SECONDS} s each, ${sample.length} bytes a message, load ${loadavg()[0]!.toFixed(1)})\n`,
  );
  const idle = { ours: await run(ours, { clients: 0 }), theirs: await run(theirs, { clients: 0 }) };
  const full = { ours: await run(ours, { clients: CLIENTS }), theirs: await run(theirs, { clients: CLIENTS }) };
  const stalled = await run(ours, { clients: CLIENTS, stalled: STALLED });
  console.log(
    '| | updates/s | p50 | p99 | processor | of it fan-out | resident |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  );
  show('bare node:http', full.theirs, idle.theirs);
  show('Ground Control', full.ours, idle.ours);
  show(`Ground Control, ${STALLED} of them stalled`, stalled, idle.ours);
  const ratio = (a: number, b: number) => (a / Math.max(b, 0.001)).toFixed(2);
  console.log(
    `\nRatio to bare: p99 ${ratio(full.ours.p99, full.theirs.p99)}, fan-out processor time ${ratio(
      full.ours.cpu - idle.ours.cpu,
      full.theirs.cpu - idle.theirs.cpu,
    )}, resident memory added by the clients ${ratio(full.ours.rss - idle.ours.rss, full.theirs.rss - idle.theirs.rss)}`,
  );
} finally {
  bare.kill();
  agent.destroy();
  await daemon.dispose();
}

function show(name: string, { p50, p99, cpu, rss, updates }: Result, idle: Result): void {
  const percent = (value: number) => `${(value * 100).toFixed(0)} %`;
  console.log(
    `| ${name} | ${updates.toFixed(0)} | ${p50.toFixed(1)} ms | ${p99.toFixed(1)} ms | ${percent(cpu)} | ${percent(cpu - idle.cpu)} | ${Math.round(rss / 1e6)} MB |`,
  );
}

async function run(target: Target, { clients, stalled = 0 }: { clients: number; stalled?: number }): Promise<Result> {
  const readers = clients > 0 ? await startReaders(target, clients, stalled) : undefined;
  await pace(target, 1);
  readers?.stdin?.write('start\n');
  const before = cpuSeconds(target.pid);
  const start = performance.now();
  const updates = await pace(target, SECONDS);
  const seconds = (performance.now() - start) / 1000;
  const cpu = (cpuSeconds(target.pid) - before) / seconds;
  const rss = residentBytes(target.pid);
  await sleep(500);
  const late = readers ? await finish(readers) : [0];
  return { p50: percentile(late, 50), p99: percentile(late, 99), cpu, rss, updates: updates / seconds };
}

async function startReaders({ port, path, token }: Target, clients: number, stalled: number): Promise<ChildProcess> {
  const readers = spawn(process.execPath, ['-e', READERS, JSON.stringify([port, path, token, clients, stalled])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(readers.stdout!, 'data');
  return readers;
}

async function finish(readers: ChildProcess): Promise<number[]> {
  let text = '';
  readers.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  readers.stdin!.write('end\n');
  await once(readers, 'close');
  const { late } = JSON.parse(text) as { late: number[] };
  return late.toSorted((a, b) => a - b);
}

/** Sends updates at a steady rate, whether or not earlier ones were answered. Returns the count. */
async function pace({ update }: Target, seconds: number): Promise<number> {
  const start = performance.now();
  const under = new Set<Promise<void>>();
  let sent = 0;
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor(((performance.now() - start) / 1000) * PER_SECOND);
    for (; sent < due && under.size < 200; sent++) {
      const one = update(sent, mark()).finally(() => under.delete(one));
      under.add(one);
    }
    await sleep(2);
  }
  await Promise.all(under);
  return sent;
}

/** One message in the daemon's format, for the bare server to send. */
async function sampleMessage(target: Target): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request({
      host: '127.0.0.1',
      port: target.port,
      path: `${target.path}?after=999999999`,
      headers: { authorization: `Bearer ${target.token}` },
    });
    asking.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const found = text
          .split('\n\n')
          .find((message) => message.includes('event: session_updated') && message.includes('sent@'));
        if (found === undefined) return;
        asking.destroy();
        resolve(`${found}\n\n`);
      });
      void target.update(0, mark()).then(() => target.update(0, mark()));
    });
    asking.on('error', (error) => (asking.destroyed ? undefined : reject(error)));
    asking.end();
  });
}

function post(port: number, path: string, headers: Record<string, string>, body: unknown): Promise<void> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method: 'POST', agent, headers: { ...headers, 'content-length': bytes.length } },
      (response) => response.resume().on('end', () => resolve()),
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
