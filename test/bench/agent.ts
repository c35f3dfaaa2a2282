import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeClientHome } from '../kit/client-home.ts';
import { checkout } from '../kit/daemon-process.ts';
import { median } from '../kit/generate-load.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { startScriptedApi } from '../kit/scripted-api.ts';

/** The native agent next to the real Claude Code, headless, on the same script: wall time, peak memory, cost of a turn, and 20 in parallel. */

const ROUNDS = Number(process.env.ROUNDS ?? 9);
const PARALLEL = Number(process.env.PARALLEL ?? 20);
const PARALLEL_ROUNDS = Number(process.env.PARALLEL_ROUNDS ?? 1);
const LONG = 25;
const SAMPLE_MS = 15;

const five = [
  callTool('Read', { file_path: 'FOLDER/sum.js' }),
  callTool('Edit', { file_path: 'FOLDER/sum.js', old_string: 'a - b', new_string: 'a + b' }),
  callTool('Bash', { command: 'node -p 2+3', description: 'Add' }),
  callTool('Write', { file_path: 'FOLDER/notes.txt', content: 'done\n' }),
  callTool('Bash', { command: 'ls', description: 'List' }),
];
const shells = Array.from({ length: LONG }, (_, n) => callTool('Bash', { command: `echo ${n}`, description: 'Echo' }));
/** All runs share the script. Each works in its own folder, which it names in the prompt. */
const inFolder = (step: ReturnType<typeof callTool>) => (request: { messages: unknown }) => {
  const [, folder = ''] = /in the folder ([^\s"\\]+)/.exec(JSON.stringify(request.messages)) ?? [];
  return JSON.parse(JSON.stringify(step).replaceAll('FOLDER', folder)) as typeof step;
};
const api = await startScriptedApi([
  { when: 'five tools', reply: [...five.map(inFolder), say('Done.')] },
  { when: 'long run', reply: [...shells, say('Done.')] },
  { when: 'no tools', reply: [say('Done.')] },
]);

interface Contender {
  name: string;
  run(folder: string, prompt: string): { command: string; args: string[]; env: Record<string, string> };
}

const home = await makeClientHome({ apiUrl: api.url, settings: {} });
const root = mkdtempSync(join(tmpdir(), 'gc-bench-agent-'));
const gctl = join(checkout, 'dist', 'gctl.js');

const contenders: Contender[] = [
  {
    name: 'Claude Code',
    run: (_, prompt) => ({
      command: home.binary,
      args: ['-p', prompt, '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Read,Edit,Write'],
      env: home.env,
    }),
  },
  {
    name: 'native agent',
    run: (_, prompt) => ({
      command: process.execPath,
      args: [gctl, 'run', '--print', '--mode', 'acceptEdits', '--allow', 'Bash', prompt],
      env: { ...home.env, GROUNDCONTROL_HOME: join(root, 'data') },
    }),
  },
];

interface Measured {
  ms: number;
  /** Measured by the kernel for the agent's own process. */
  peakMb: number;
}

async function measure(contender: Contender, prompt: string): Promise<Measured> {
  const folder = mkdtempSync(join(root, 'work-'));
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, 'sum.js'), 'console.log(((a, b) => a - b)(2, 3));\n');
  const { command, args, env } = contender.run(folder, `${prompt} in the folder ${folder}`);
  const started = performance.now();
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  let peakKb = 0;
  const sample = setInterval(() => {
    peakKb = Math.max(peakKb, highWater(child.pid!));
  }, SAMPLE_MS);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const ms = performance.now() - started;
  clearInterval(sample);
  if (code !== 0 || !output.startsWith('Done.')) throw new Error(`${contender.name} failed (${code}): ${output}`);
  if (prompt === 'five tools' && !readFileSync(join(folder, 'sum.js'), 'utf8').includes('a + b'))
    throw new Error(`${contender.name} did not edit the file: ${readdirSync(folder)}`);
  return { ms, peakMb: peakKb / 1024 };
}

/** The kernel keeps the maximum, so the last reading before the end is enough. */
function highWater(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    // it ended between two readings
    return 0;
  }
}

try {
  const results = new Map<string, Measured[]>();
  const keep = (contender: Contender, prompt: string, measured: Measured) => {
    const key = `${contender.name}/${prompt}`;
    results.set(key, [...(results.get(key) ?? []), measured]);
  };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const prompt of ['five tools', 'no tools', 'long run'])
      for (const contender of contenders) {
        const measured = await measure(contender, prompt);
        // the first run of each fills caches
        if (round > 0) keep(contender, prompt, measured);
      }
  const crowd = new Map<string, { ms: number; peakMb: number }[]>();
  for (let round = 0; round < PARALLEL_ROUNDS; round += 1)
    for (const contender of contenders) {
      const started = performance.now();
      const all = await Promise.all(Array.from({ length: PARALLEL }, () => measure(contender, 'five tools')));
      const peakMb = all.reduce((sum, one) => sum + one.peakMb, 0);
      crowd.set(contender.name, [...(crowd.get(contender.name) ?? []), { ms: performance.now() - started, peakMb }]);
    }

  const ms = (name: string, prompt: string) => median(results.get(`${name}/${prompt}`)!.map((one) => one.ms));
  const mb = (name: string, prompt: string) => median(results.get(`${name}/${prompt}`)!.map((one) => one.peakMb));
  const rows: [string, (name: string) => number, string][] = [
    ['run of five tools', (name) => ms(name, 'five tools'), 'ms'],
    ['peak memory of it', (name) => mb(name, 'five tools'), 'MB'],
    ['start and one answer', (name) => ms(name, 'no tools'), 'ms'],
    [`per turn with one Bash call`, (name) => (ms(name, 'long run') - ms(name, 'no tools')) / LONG, 'ms'],
    [`${PARALLEL} runs of five tools at once`, (name) => median(crowd.get(name)!.map((one) => one.ms)), 'ms'],
    ['sum of their peak memory', (name) => median(crowd.get(name)!.map((one) => one.peakMb)), 'MB'],
  ];
  const [load] = loadavg();
  console.log(
    `# npm run bench agent\n\n${cpus().length} cores, load ${load!.toFixed(1)}, medians of ${ROUNDS} interleaved runs\n`,
  );
  console.log('| what | Claude Code | native agent | ratio |\n| --- | ---: | ---: | ---: |');
  const [claude, native] = contenders.map(({ name }) => name) as [string, string];
  for (const [what, of, unit] of rows) {
    const digits = of(native) < 100 ? 1 : 0;
    console.log(
      `| ${what} | ${of(claude).toFixed(digits)} ${unit} | ${of(native).toFixed(digits)} ${unit} | ${(of(native) / of(claude)).toFixed(2)} |`,
    );
  }
} finally {
  await home.dispose();
  rmSync(root, { recursive: true, force: true });
  await api.close();
}
