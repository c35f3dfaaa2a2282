import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUNNER_FILES } from '../../src/contract/runner-names.ts';
import { checkout, cleanEnv } from '../kit/daemon-process.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { operatorOf } from '../kit/operator-tokens.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

/*
 * Time from `gctl new` to the first model request, next to a program that uses the bare SDK, in the same run: cold, and with a spare. Also
 * the memory of a runner, next to the bare SDK's host.
 */

const ROUNDS = 6;
/** Pause before the next one starts, while the last client is still busy. */
const REST_MS = 1500;
const SPARE_MS = 4000;
const AIMS = { cold: 1.15, warm: 0.6, memory: 1.2 };

const orchestra = await startDaemonWithRunners([
  { when: 'measure', reply: [callTool('Bash', { command: 'until [ -f go ]; do sleep 0.2; done' }), say('Done.')] },
  { when: 'begin', reply: [say('Begun.')] },
]);
const dataHome = join(orchestra.runnersDir, '..', '..');
const env = cleanEnv(dataHome, { GROUNDCONTROL_TOKEN: operatorOf(join(dataHome, '.groundcontrol')) ?? '' });

/** What an installed package runs. In a checkout, `bin/gctl` first checks whether the build is stale. */
const installedGctl = join(checkout, 'dist', 'gctl.js');

/** A program that uses the SDK the way a runner does. */
const BARE = `
import { query } from ${JSON.stringify(join(checkout, 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.mjs'))};
async function* input() {
  yield { type: 'user', parent_tool_use_id: null, message: { role: 'user', content: process.argv[1] } };
  await new Promise(() => setInterval(() => {}, 1e6));
}
const allow = async (_name, input) => ({ behavior: 'allow', updatedInput: input });
for await (const message of query({
  prompt: input(),
  options: { cwd: process.cwd(), pathToClaudeCodeExecutable: process.env.CLAUDE, canUseTool: allow, includePartialMessages: true, enableFileCheckpointing: true },
})) if (message.type === 'result') process.exit(0);
`;

async function firstRequest(prompt: string, start: () => ChildProcess): Promise<number> {
  const before = performance.now();
  const child = start();
  const isAsked = () =>
    orchestra.api.requests.some(({ kind, turn }) => kind === 'turn' && turn.prompt.includes(prompt));
  await waitFor(isAsked, { what: 'the first request', interval: 2, timeout: 60_000 });
  const took = performance.now() - before;
  await sleep(REST_MS);
  end(child);
  return took;
}

/** With everything in its process group: the bare SDK's client would finish its turn alone. */
function end({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function startBare(prompt: string): ChildProcess {
  const { project: cwd, home } = orchestra;
  const args = ['--input-type=module', '-e', BARE, prompt];
  const detached = { detached: true, stdio: 'ignore' } as const;
  return spawn(process.execPath, args, { cwd, env: { ...home.env, CLAUDE: home.binary }, ...detached });
}

function startGctl(name: string, prompt: string): ChildProcess {
  return spawn(process.execPath, [installedGctl, 'new', name, '-p', prompt], {
    cwd: orchestra.project,
    env,
    detached: true,
    stdio: 'ignore',
  });
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function measureStarts(world: DaemonWithRunners) {
  const bare: number[] = [];
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await firstRequest(`begin bare ${round}.`, () => startBare(`begin bare ${round}.`)));
    cold.push(await firstRequest(`begin cold ${round}.`, () => startGctl(`cold-${round}`, `begin cold ${round}.`)));
    await world.call('POST', `/api/sessions/cold-${round}/cancel`);
  }
  const page = await openPage(world);
  for (let round = 0; round < ROUNDS; round++) {
    await spareIsReady(world);
    bare.push(await firstRequest(`begin too ${round}.`, () => startBare(`begin too ${round}.`)));
    warm.push(await firstRequest(`begin warm ${round}.`, () => startGctl(`warm-${round}`, `begin warm ${round}.`)));
    await world.call('POST', `/api/sessions/warm-${round}/cancel`);
  }
  page.close();
  return { bare, cold, warm };
}

/** An operator is at the board, so a spare is kept. */
async function openPage(world: DaemonWithRunners): Promise<{ close(): void }> {
  const hungUp = new AbortController();
  const { url, operatorToken } = world.daemon;
  const headers = { authorization: `Bearer ${operatorToken}` };
  const stream = await fetch(`${url}/api/live/stream?tab=bench`, { headers, signal: hungUp.signal });
  const reading = (async () => {
    for await (const _ of stream.body ?? []);
  })();
  reading.catch(() => undefined);
  const report = () => world.call('POST', '/api/presence', { tab: 'bench', visible: true, inputAgoMs: 0 });
  await report();
  const timer = setInterval(report, 5000);
  return {
    close() {
      clearInterval(timer);
      hungUp.abort();
    },
  };
}

/** A runner without a session, with time for its client to start. */
async function spareIsReady(world: DaemonWithRunners): Promise<void> {
  const isSpare = (name: string) => !existsSync(join(world.runnersDir, name, RUNNER_FILES.processes));
  await waitFor(() => existsSync(world.runnersDir) && readdirSync(world.runnersDir).some(isSpare), {
    what: 'a spare',
    timeout: 60_000,
  });
  await sleep(SPARE_MS);
}

const rss = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

async function measureMemory(world: DaemonWithRunners) {
  const child = startBare('measure bare');
  await waitFor(() => world.api.requests.some(({ turn }) => turn.prompt.includes('measure bare')), {
    what: 'it to run',
  });
  const { id } = await world.start({ name: 'memory', prompt: 'measure runner', allowedTools: ['Bash'] });
  await world.reaches(id, 'running');
  await sleep(3000);
  const files = readdirSync(world.runnersDir).map((name) => join(world.runnersDir, name, RUNNER_FILES.processes));
  const { runner } = JSON.parse(readFileSync(files.find((path) => existsSync(path))!, 'utf8'));
  const figures = { bare: rss(child.pid!), runner: rss(runner.pid) };
  end(child);
  return figures;
}

const line = (name: string, value: number, baseline: number, aim: number, unit: string) =>
  console.log(
    `${name.padEnd(22)} ${value.toFixed(0).padStart(6)} ${unit}  ${(value / baseline).toFixed(2)} x  (aim ${aim})`,
  );

console.log(`# npm run bench start\n\n${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)} at the start\n`);
try {
  const { bare, cold, warm } = await measureStarts(orchestra);
  console.log(
    `bare SDK               ${median(bare).toFixed(0).padStart(6)} ms  (${ROUNDS} rounds, median; ${bare.map((ms) => ms.toFixed(0)).join(' ')})`,
  );
  line('gctl new, cold', median(cold), median(bare), AIMS.cold, 'ms');
  line('gctl new, with a spare', median(warm), median(bare), AIMS.warm, 'ms');
  const memory = await measureMemory(orchestra);
  console.log(`bare SDK host          ${memory.bare.toFixed(0).padStart(6)} MB`);
  line('runner', memory.runner, memory.bare, AIMS.memory, 'MB');
} finally {
  await orchestra.dispose();
}
