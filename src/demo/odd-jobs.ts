import { HAIKU, OPUS, type Part, SONNET } from './cast/part.ts';
import type { ProjectName } from './projects.ts';
import type { Random } from './random.ts';
import type { SimulatedSession } from './session.ts';
import { bash, type Call, edit, read, todos } from './tool-calls.ts';

/** Everyday work: what a past session was about, and what a new one in the fleet does. */
export interface OddJob {
  project: ProjectName;
  branch: string;
  prompt: string;
  file: string;
  before: string;
  after: string;
  check: string;
  checked: string;
  result: string;
}

export const ODD_JOBS: readonly [OddJob, ...OddJob[]] = [
  job(
    'harbor-api',
    'fix/rate-limit',
    'Rate limits are counted per process. Count them per customer',
    'src/limits/bucket.ts',
    'const buckets = new Map<string, Bucket>();',
    'const buckets = new SharedBuckets(redis);',
    'npm test -- limits',
    '22 passed',
    'Limits are now shared between processes, with one round trip per request.',
  ),
  job(
    'harbor-api',
    'main',
    'Explain why the health check takes 900 ms',
    'src/health.ts',
    'await db.query("select count(*) from invoices");',
    'await db.query("select 1");',
    'curl -s -w "%{time_total}" localhost:8080/health',
    '0.004',
    'It counted every invoice. A constant query tests the connection just as well.',
  ),
  job(
    'harbor-api',
    'feat/audit-trail',
    'Every change to a customer record must say who made it',
    'src/customers/update.ts',
    'await store.put(customer);',
    'await store.put(customer, { changedBy: actor.id });',
    'npm test -- customers',
    '31 passed',
    'Each write now carries its actor, and the type makes it impossible to forget.',
  ),
  job(
    'atlas-web',
    'fix/table-scroll',
    'The orders table loses its scroll position when a row changes',
    'src/orders/table.tsx',
    '<Table key={version} rows={rows} />',
    '<Table rows={rows} />',
    'npx vitest run orders',
    '18 passed',
    'The key made React rebuild the table. Without it, the scroll position stays.',
  ),
  job(
    'atlas-web',
    'feat/keyboard',
    'All dialogs must work with the keyboard alone',
    'src/dialog/dialog.tsx',
    '<div className="dialog">',
    '<div className="dialog" role="dialog" aria-modal tabIndex={-1}>',
    'npx playwright test a11y',
    '26 passed',
    'Focus moves into each dialog and back to where it came from.',
  ),
  job(
    'atlas-web',
    'main',
    'Bundle size went up by 80 KB last week. Find out why',
    'src/charts/index.ts',
    "import * as d3 from 'd3';",
    "import { scaleLinear, line } from 'd3';",
    'npm run build -- --report',
    'total 231 KB (-84 KB)',
    'A namespace import pulled in all of d3. Importing just the two functions fixes it.',
  ),
  job(
    'lighthouse-cli',
    'fix/exit-code',
    'A failing check must not exit with 0 when output is piped',
    'src/main.ts',
    'process.exit(failed ? 1 : 0);',
    'process.exitCode = failed ? 1 : 0;',
    'npm test -- exit',
    '9 passed',
    '`process.exit` cut the pipe before the code was set.',
  ),
  job(
    'lighthouse-cli',
    'feat/json',
    'Add --json to every command, with a schema',
    'src/output/print.ts',
    'console.log(format(result));',
    'print(asJson ? JSON.stringify(result) : format(result));',
    'npm test -- output',
    '40 passed',
    'Eleven commands print JSON, and a test checks each against its schema.',
  ),
  job(
    'fieldnotes-mobile',
    'fix/dark-mode',
    'The editor flashes white when dark mode starts',
    'src/theme/provider.tsx',
    'const [theme, setTheme] = useState("light");',
    'const [theme, setTheme] = useState(() => readStoredTheme());',
    'npm test -- theme',
    '12 passed',
    'The stored theme is read before the first paint.',
  ),
  job(
    'fieldnotes-mobile',
    'feat/photos',
    'Compress photos before upload and keep the time they were taken',
    'src/photos/compress.ts',
    'return resize(photo, 2048);',
    'return keepExif(photo, resize(photo, 2048));',
    'npm test -- photos',
    '17 passed',
    'Photos are 74% smaller on average and keep their date and location.',
  ),
  job(
    'tidepool-ml',
    'exp/baseline',
    'Train a seasonal baseline so we know what the model has to beat',
    'models/baseline.py',
    'model = Prophet()',
    'model = SeasonalNaive(period="12h25m")',
    'python -m tidepool.train --model baseline',
    'MAE 0.083 m',
    'The tide repeats every 12 h 25 min. That alone gets to 8.3 cm.',
  ),
  job(
    'tidepool-ml',
    'fix/leak',
    'Validation looks too good. Is there a leak?',
    'data/split.py',
    'train, valid = random_split(rows, 0.8)',
    'train, valid = split_by_time(rows, "2025-01-01")',
    'python -m tidepool.evaluate',
    'MAE 0.061 m (was 0.019)',
    'Rows were split at random, so neighbors ended up on both sides. Split by time, the error is 6.1 cm.',
  ),
  job(
    'orbit-infra',
    'main',
    'Why did the nightly backup take four hours?',
    'backup/job.yaml',
    'parallelism: 1',
    'parallelism: 6',
    'kubectl -n ops logs job/backup --tail=3',
    'done in 41m',
    "It has run on one worker since the node pool changed. With six, it's back to 41 minutes.",
  ),
  job(
    'orbit-infra',
    'feat/cost',
    'Show what each team spends on storage',
    'dashboards/storage.json',
    '"groupBy": ["cluster"]',
    '"groupBy": ["cluster", "label.team"]',
    'jq . dashboards/storage.json > /dev/null',
    '',
    'The dashboard has a row per team. 6% of the volumes have no label.',
  ),
  job(
    'almanac-docs',
    'guide/first-steps',
    'Rewrite the landing page for people who have never seen the tool',
    'docs/start.md',
    '## Installation',
    '## What you will have after ten minutes',
    'npm run lint:prose',
    '0 warnings',
    'The page opens with what the reader gets, and shows it before explaining it.',
  ),
  job(
    'almanac-docs',
    'i18n/ja',
    'Translate the guide into Japanese, but keep the code samples',
    'docs/ja/guide.md',
    '# Guide',
    '# ガイド',
    'npm run build -- --locale ja',
    '198 pages',
    'All twelve chapters are translated; three terms are in the glossary for review.',
  ),
];

function job(
  ...[project, branch, prompt, file, before, after, check, checked, result]: [
    ProjectName,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
): OddJob {
  return { project, branch, prompt, file, before, after, check, checked, result };
}

export const MODELS: readonly [string, ...string[]] = [OPUS, SONNET, SONNET, HAIKU];

/** One for this project, if there is one. */
export function oddTask(random: Random, project?: string): OddJob {
  const [first, ...rest] = ODD_JOBS.filter((task) => task.project === project);
  return random.pick(first ? [first, ...rest] : ODD_JOBS);
}

/** A new session for the fleet. */
export function oddJob(random: Random): Part {
  const task = oddTask(random);
  return {
    project: task.project,
    model: random.pick(MODELS),
    startedAgo: random.integer(1, 20),
    async play(session) {
      await session.prompt(task.prompt);
      await workOn(session, task);
    },
  };
}

/** Reads, changes, checks, and reports; now and then it asks. */
export async function workOn(session: SimulatedSession, task: OddJob): Promise<void> {
  const { main, project, random } = session;
  const file = `${project.path}/${task.file}`;
  const steps = ['Understand it', 'Change it', 'Check it'];
  await main.pause(random.integer(3, 9));
  await main.use(todos(steps, 0), { thinking: 'Let me look at the code first, and at what else depends on it.' });
  await main.use(read(file, task.before), { lasts: 2 });
  await main.use(
    bash(`git log --oneline -5 -- ${task.file}`, `${random.hex(7)} ${task.branch}`, {
      description: 'Who changed it last',
    }),
    { lasts: 2 },
  );
  await main.pause(random.integer(4, 14));
  await main.use(todos(steps, 1));
  await tryOrYield(
    session,
    edit(file, task.before, task.after, { asks: random.chance(0.35), startLine: random.integer(4, 120) }),
  );
  await main.use(todos(steps, 2));
  await tryOrYield(
    session,
    bash(task.check, task.checked, { description: 'Check it', asks: random.chance(0.2) }),
    random.integer(12, 40),
  );
  await main.use(todos(steps, 3, { isOver: true }));
  await session.finish(`${task.result}\n\n\`\`\`diff\n- ${task.before}\n+ ${task.after}\n\`\`\``);
  if (random.chance(0.3)) await session.completeTask(random.hex(4), task.prompt);
}

/** A denial isn't the end: it says so and tries another way. */
async function tryOrYield(session: SimulatedSession, call: Call, lasts = 2): Promise<void> {
  const outcome = await session.main.use(call, { lasts, terminalAfter: session.random.integer(90, 400) });
  if (outcome.kind !== 'denied') return;
  await session.main.use(bash('git stash list', '', { description: 'Check for leftovers' }), {
    say: `Skipping that: ${outcome.message} I'll note it in the summary and continue without it.`,
  });
}

/** Works on the operator's prompt. */
export async function workOnPrompt(session: SimulatedSession, prompt: string): Promise<void> {
  const { main, project, random } = session;
  const task = random.pick(ODD_JOBS);
  await main.pause(3);
  await main.use(
    bash(`rg -n --max-count 3 ${JSON.stringify(wordOf(prompt))} .`, `${task.file}:12: ${task.before}`, {
      description: 'Find where this belongs',
    }),
    { say: `On it: ${firstLine(prompt)}`, lasts: 3 },
  );
  await main.pause(random.integer(4, 10));
  await main.use(edit(`${project.path}/${task.file}`, task.before, task.after), { lasts: 2 });
  await main.use(bash(task.check, task.checked, { description: 'Check it' }), { lasts: 18 });
  await session.finish(`Done: ${firstLine(prompt)}\n\nI changed \`${task.file}\` and the checks pass.`);
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200);

function wordOf(prompt: string): string {
  return [...prompt.matchAll(/[\p{L}\d]{4,}/gu)].map(([word]) => word).sort((a, b) => b.length - a.length)[0] ?? 'todo';
}
