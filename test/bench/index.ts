import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { IndexStatus } from '../../src/contract/history.ts';
import { SearchPage } from '../../src/contract/search.ts';
import { HOOK_TOKEN_HEADER } from '../../src/daemon/access/guard.ts';
import { Transcripts } from '../../src/daemon/transcripts/transcripts.ts';
import { checkout, cleanEnv, type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { median, percentile, sleep } from '../kit/generate-load.ts';
import { measureSteal } from '../kit/measure-steal.ts';
import { seededRandom } from '../kit/random.ts';
import { makeCorpus } from './corpus/make-corpus.ts';
import { SHAPES, type Shape } from './corpus/style.ts';

/** How fast all transcripts are read: tokens and costs, then the full text, then again with nothing new. */

/** A different corpus on every run; SEED=… reproduces one. */
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const SCALE = Number(process.env.CORPUS_SCALE ?? 1);
const ONLY = process.env.SHAPE;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const AIM = 0.67;
/** Most of the time there goes into opening files. */
const AIM_OF_TINY = 1.5;
const TINY = 50_000;
const HOOKS_PER_SECOND = 50;
const SEARCHES = 200;

const stolen = measureSteal();
const folder = mkdtempSync(join(tmpdir(), 'gc-bench-index-'));
const loadNow = () => loadavg()[0]!.toFixed(1);
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

console.log(
  `# npm run bench index\n\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, load ${loadNow()} at the start\n`,
);
try {
  const shapes = SHAPES.filter(({ name }) => ONLY === undefined || name.includes(ONLY));
  console.log(`Seed ${SEED}\n\n## Tokens and costs of everything, from nothing\n`);
  console.log(`Medians of ${ROUNDS} rounds, one program after the other in turn; start-up included.\n`);
  console.log(
    '| transcripts | files | size | cat | ccusage 20.0.24 | index | of ccusage (rounds) | gctl usage | of ccusage (rounds) | aim | load |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- | ---: | ---: |');
  for (const shape of shapes) await compare(shape);
  for (const shape of [shapes[0], shapes.find(({ files }) => files >= TINY)]) if (shape) await measureDaemon(shape);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeShape({ bytes, files, style }: Shape): { configDir: string; bytes: number; files: number } {
  const configDir = mkdtempSync(join(folder, 'claude-'));
  const options = { folder: configDir, style, seed: SEED };
  return { configDir, ...makeCorpus({ ...options, bytes: bytes * SCALE, files: Math.ceil(files * SCALE) }) };
}

async function compare(shape: Shape): Promise<void> {
  const { configDir, bytes, files } = makeShape(shape);
  const rounds: { cat: number; ccusage: number; index: number; usage: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [cat, ccusage] = [readAll(configDir), runCcusage(configDir)];
    rounds.push({ cat, ccusage, index: await coldTotals(configDir), usage: runUsage(configDir) });
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  const ratios = (name: 'index' | 'usage') =>
    `${of((round) => round[name] / round.ccusage).toFixed(2)} (${rounds.map((round) => (round[name] / round.ccusage).toFixed(2)).join(', ')})`;
  const cells = [
    shape.name,
    files,
    `${Math.round(bytes / 1e6)} MB`,
    seconds(of(({ cat }) => cat)),
    seconds(of(({ ccusage }) => ccusage)),
    seconds(of(({ index }) => index)),
    ratios('index'),
    seconds(of(({ usage }) => usage)),
    ratios('usage'),
    shape.files >= TINY ? AIM_OF_TINY : AIM,
    loadNow(),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  rmSync(configDir, { recursive: true });
}

function readAll(configDir: string): number {
  const start = performance.now();
  const find = `find '${configDir}' -name '*.jsonl' -print0 | xargs -0 cat > /dev/null`;
  spawnSync('sh', ['-c', find], { stdio: 'inherit' });
  return performance.now() - start;
}

/** The program itself, without its launcher script. */
function runCcusage(configDir: string): number {
  return run([nativeCcusage(), 'claude', 'daily', '--offline', '--json'], configDir);
}

function runUsage(configDir: string): number {
  return run([process.execPath, join(checkout, 'dist', 'gctl.js'), 'usage', '--json'], configDir);
}

function run([program, ...args]: [string, ...string[]], configDir: string): number {
  const home = mkdtempSync(join(folder, 'home-'));
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, {
    env: cleanEnv(home, { CLAUDE_CONFIG_DIR: configDir }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return performance.now() - start;
}

/** The package ships the binary without the executable bit, so a copy gets it. */
function nativeCcusage(): string {
  const copy = join(folder, 'ccusage');
  if (existsSync(copy)) return copy;
  const platform = `${process.platform}-${process.arch}`;
  copyFileSync(join(checkout, 'node_modules', '@ccusage', `ccusage-${platform}`, 'bin', 'ccusage'), copy);
  chmodSync(copy, 0o755);
  return copy;
}

/** From starting the threads until the totals can be queried. */
async function coldTotals(configDir: string): Promise<number> {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const transcripts = openTranscripts(dataDir, configDir);
  const start = performance.now();
  transcripts.start();
  while (!['text', 'idle'].includes(transcripts.status().phase)) await sleep(2);
  const took = performance.now() - start;
  await transcripts.stop();
  rmSync(dataDir, { recursive: true });
  return took;
}

function openTranscripts(dataDir: string, configDir: string): Transcripts {
  return new Transcripts({
    worker: join(checkout, 'dist', 'transcripts-worker.cjs'),
    paths: {
      historyPath: join(dataDir, 'history.db'),
      journalPath: join(dataDir, 'journal.db'),
      configDir,
    },
    overrides: () => [],
    onError: (error) => console.error(error),
  });
}

async function measureDaemon(shape: Shape): Promise<void> {
  const { configDir, bytes, files } = makeShape(shape);
  const isTiny = shape.files >= TINY;
  const home = mkdtempSync(join(folder, 'home-'));
  mkdirSync(join(home, '.claude'));
  const start = { home, args: ['--no-hooks'], env: { CLAUDE_CONFIG_DIR: configDir } };
  const spawnedAt = performance.now();
  const daemon = await startDaemonProcess(start);
  try {
    const startedAt = performance.now();
    const answers: number[] = [];
    const hooks = postHooks(daemon);
    let totals = 0;
    let during: number[] = [];
    for (let phase = ''; phase !== 'idle'; await sleep(50)) {
      ({ phase } = await get(daemon, '/api/history/status', IndexStatus));
      if (isTiny && totals === 0)
        answers.push(await timeOf(daemon, '/api/history'), await timeOf(daemon, '/api/stats'));
      if (phase !== 'text' || totals > 0) continue;
      totals = performance.now() - startedAt;
      during = hooks.latencies();
    }
    const took = performance.now() - startedAt;
    await hooks.stop();
    const latencies = hooks.latencies();
    const history = statSync(join(daemon.dataDir, 'history.db')).size;
    console.log(`\n## The daemon with ${shape.name}, with the full text in the background (load ${loadNow()})\n`);
    console.log('| what | measured | aim |\n| --- | --- | --- |');
    console.log(`| started and answering | ${seconds(startedAt - spawnedAt)} | 3 s with 50,000 files |`);
    if (isTiny)
      console.log(
        `| history and statistics meanwhile | p50 ${percentile(answers, 50).toFixed(0)} ms, worst ${Math.max(...answers).toFixed(0)} ms | 200 ms |`,
      );
    console.log(`| first answer of the daemon to tokens and costs of everything | ${seconds(totals)} | |`);
    console.log(
      `| … to the full text of everything | ${seconds(took)}, ${(bytes / 1e3 / took).toFixed(1)} MB/s | 60 s for 1 GB |`,
    );
    console.log(`| history.db | ${Math.round(history / 1e6)} MB | |`);
    console.log(
      `| hooks answered meanwhile (${HOOKS_PER_SECOND}/s) | p50 ${percentile(latencies, 50).toFixed(1)} ms, p99 ${percentile(latencies, 99).toFixed(1)} ms | p99 20 ms |`,
    );
    console.log(
      `| … while tokens and costs are read | p50 ${percentile(during, 50).toFixed(1)} ms, p99 ${percentile(during, 99).toFixed(1)} ms | |`,
    );
    console.log(`| peak memory | ${peakMb(daemon.pid)} MB | 400 MB |`);
    await measureSearch(daemon);
    await daemon.kill('SIGTERM');
    await measureWarm(daemon.dataDir, configDir, files);
  } finally {
    await daemon.dispose();
  }
}

function postHooks({ url, credentials }: DaemonProcess): { latencies(): number[]; stop(): Promise<void> } {
  const latencies: number[] = [];
  let isOver = false;
  const posting = (async () => {
    for (let n = 0; !isOver; n++) {
      const sent = performance.now();
      const body = {
        session_id: `s${n % 20}`,
        hook_event_name: n % 2 ? 'PreToolUse' : 'PostToolUse',
        tool_name: 'Bash',
      };
      const answer = await fetch(`${url}/api/live/hook`, {
        method: 'POST',
        headers: { [HOOK_TOKEN_HEADER]: credentials.hookToken },
        body: JSON.stringify({
          ...body,
          cwd: '/tmp',
          transcript_path: '',
          tool_input: { command: 'ls' },
          tool_use_id: `t${n}`,
        }),
      });
      await answer.text();
      latencies.push(performance.now() - sent);
      await sleep(1000 / HOOKS_PER_SECOND - (performance.now() - sent));
    }
  })();
  return {
    // the first ones run while both sides are still being compiled
    latencies: () => latencies.slice(20),
    async stop() {
      isOver = true;
      await posting;
    },
  };
}

async function measureSearch(daemon: DaemonProcess): Promise<void> {
  const random = seededRandom(3);
  const { hits: some } = await get(daemon, '/api/search?q=session&limit=100', SearchPage);
  const words = some
    .flatMap(({ snippet }) =>
      snippet
        .map(({ text }) => text)
        .join('')
        .split(/[^\p{L}\p{N}]+/u),
    )
    .filter((word) => word.length > 3) as [string, ...string[]];
  const queries = Array.from({ length: SEARCHES }, (_, n) => {
    const [a, b] = [random.pick(words), random.pick(words)];
    return [
      a,
      `${a} ${b}`,
      `"${a}"`,
      `${a} -${b}`,
      `${a} tool:Bash`,
      `${a} project:api`,
      `${a} kind:prompt`,
      `file ${a}`,
      `${a.slice(0, 2)}*`,
      `${a.slice(0, 1)}*`,
      `${b} ${a.slice(0, 1)}*`,
      a.slice(0, 3),
    ][n % 12]!;
  });
  const took: { ms: number; query: string }[] = [];
  for (const query of queries) {
    const start = performance.now();
    await get(daemon, `/api/search?q=${encodeURIComponent(query)}`, SearchPage);
    took.push({ ms: performance.now() - start, query });
  }
  const times = took.map(({ ms }) => ms);
  const slowest = took.reduce((a, b) => (a.ms > b.ms ? a : b));
  console.log(
    `| search, ${SEARCHES} queries through the API | p50 ${percentile(times, 50).toFixed(1)} ms, p95 ${percentile(times, 95).toFixed(1)} ms, worst ${slowest.ms.toFixed(0)} ms (${slowest.query}) | p95 50 ms |`,
  );
}

/** Starts the threads and checks every file, with nothing new to find. */
async function measureWarm(dataDir: string, configDir: string, files: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const transcripts = openTranscripts(dataDir, configDir);
    const start = performance.now();
    transcripts.start();
    while (transcripts.status().phase !== 'idle') await sleep(1);
    times.push(performance.now() - start);
    await transcripts.stop();
  }
  console.log(
    `| start with ${files} unchanged files | ${median(times).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')}) | 150 ms with 800 |`,
  );
  console.log(
    `\nOthers on the host took ${stolen()} of the processors' time. Load ${loadNow()} at the end; ${availableParallelism()} threads may run at a time.`,
  );
}

async function timeOf({ url, credentials }: DaemonProcess, path: string): Promise<number> {
  const sent = performance.now();
  await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${credentials.localToken}` } })).text();
  return performance.now() - sent;
}

async function get<T>(daemon: DaemonProcess, path: string, schema: { parse(value: unknown): T }): Promise<T> {
  const headers = { authorization: `Bearer ${daemon.credentials.localToken}` };
  const answer = await fetch(`${daemon.url}${path}`, { headers });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return schema.parse(await answer.json());
}

/** Peak memory of the process. */
function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
