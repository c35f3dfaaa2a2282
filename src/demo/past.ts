import { writeFileSync } from 'node:fs';
import { FUTURE_MODEL, HAIKU, OPUS, SONNET } from './cast/part.ts';
import { Meter } from './meter.ts';
import { ODD_JOBS, type OddJob } from './odd-jobs.ts';
import type { Project, ProjectName } from './projects.ts';
import { type Random, seededRandom } from './random.ts';
import { bash, type Call, edit, fetchPage, read, todos, write } from './tool-calls.ts';
import { Transcript, transcriptPath } from './transcript.ts';

const DAYS = 48;
const DAY = 86_400_000;
const HOUR = 3_600_000;

const MODELS: readonly [string, ...string[]] = [
  OPUS,
  OPUS,
  SONNET,
  SONNET,
  SONNET,
  SONNET,
  HAIKU,
  HAIKU,
  'claude-sonnet-4-5-20250929',
  'claude-opus-4-1-20250805',
  FUTURE_MODEL,
];

const FOLLOW_UPS: readonly [string, ...string[]] = [
  'Add a test that would have caught it.',
  'Is the same mistake anywhere else?',
  'Shorter, please.',
  'In the commit message, say why, not what.',
  'What happens if the network drops halfway?',
  'Undo the last change and try it the other way around.',
  'Good. Now measure it before and after.',
];

const REPLIES: readonly [string, ...string[]] = [
  'There was one more place with the same pattern. I changed it too and named both in the commit.',
  'The test fails without the change and passes with it.',
  'Measured ten times each: 412 ms before, 96 ms after, with a spread of 7 ms.',
  'If the network drops halfway, the operation retries once and then reports an error. Nothing is half written.',
  'Done. The diff is eleven lines shorter and the behavior is the same.',
];

const ERRORS: readonly [string, ...string[]] = [
  "TypeError: Cannot read properties of undefined (reading 'id')",
  'error: expected 3 arguments, found 2',
  'FAIL  src/limits/bucket.test.ts > refills once a second',
  'psql: error: connection refused',
];

export interface PastOptions {
  configDir: string;
  projects: Record<ProjectName, Project>;
  now: number;
  seed: number;
}

/** Conversations of the last weeks, for history, search and statistics. The same seed gives the same weeks before any day. */
export function writePast({ configDir, projects, now, seed }: PastOptions): number {
  const random = seededRandom(seed * 104_729 + 11);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  let count = 0;
  for (let day = DAYS; day >= 1; day--) {
    const date = midnight - day * DAY;
    const isWeekend = [0, 6].includes(new Date(date + 12 * HOUR).getDay());
    const sessions = isWeekend ? random.integer(0, 2) : random.integer(4, 11);
    for (let index = 0; index < sessions; index++) {
      const startsAt = date + workingHour(random) * HOUR + random.integer(0, 59) * 60_000;
      writeSession({ configDir, projects, random, startsAt });
      count++;
    }
  }
  return count;
}

/** Mornings and afternoons, rarely at night. */
function workingHour(random: Random): number {
  if (random.chance(0.06)) return random.integer(20, 23);
  return random.chance(0.45) ? random.integer(8, 11) : random.integer(13, 18);
}

interface OneSession {
  configDir: string;
  projects: Record<ProjectName, Project>;
  random: Random;
  startsAt: number;
}

function writeSession({ configDir, projects, random, startsAt }: OneSession): void {
  const job = random.pick(ODD_JOBS);
  const place = { configDir, sessionId: random.uuid(), cwd: projects[job.project].path, branch: job.branch };
  const model = random.pick(MODELS);
  let at = startsAt;
  const now = () => at;
  const pass = (from: number, to: number) => {
    at += random.integer(from, to) * 1000;
  };
  const transcript = new Transcript({
    ...place,
    random,
    now,
    model,
    meter: new Meter({ context: random.integer(20, 170) * 1000 }),
  });
  transcript.hold();
  const use = (call: Call, thinking?: string) => {
    pass(2, 25);
    const id = `toolu_01${random.hex(22)}`;
    const tool = { type: 'tool_use' as const, id, name: call.name, input: call.input };
    transcript.answer(thinking ? [{ type: 'thinking', thinking, signature: random.hex(64) }, tool] : [tool]);
    pass(1, 20);
    const isError = call.fails === true;
    transcript.toolResult(id, {
      content: call.output,
      toolUseResult: isError ? `Error: ${call.output}` : call.response,
      isError,
    });
  };
  transcript.prompt(job.prompt);
  for (const call of callsFor(job, place.cwd, random)) use(call, random.chance(0.25) ? thoughtOn(job) : undefined);
  if (random.chance(0.22)) writeSubagent({ place, job, random, now, pass, use });
  pass(3, 20);
  transcript.answer([{ type: 'text', text: `${job.result}\n\n\`\`\`diff\n- ${job.before}\n+ ${job.after}\n\`\`\`` }]);
  const more = random.integer(0, 4);
  for (let turn = 0; turn < more; turn++) {
    pass(40, 1500);
    transcript.prompt(random.pick(FOLLOW_UPS));
    for (const call of callsFor(job, place.cwd, random).slice(0, random.integer(1, 4))) use(call);
    pass(3, 12);
    transcript.answer([{ type: 'text', text: random.pick(REPLIES) }]);
  }
  transcript.turnEnded(at - startsAt);
  transcript.flush(at);
}

function callsFor(job: OddJob, cwd: string, random: Random): Call[] {
  const file = `${cwd}/${job.file}`;
  const calls: Call[] = [
    read(file, `${job.before}\n`.repeat(random.integer(1, 30))),
    bash(`rg -n "${job.before.slice(0, 18).replaceAll('"', '')}" .`, `${job.file}:12:${job.before}`, {
      description: 'Find every use',
    }),
    edit(file, job.before, job.after, { startLine: random.integer(3, 200) }),
    bash(job.check, job.checked, { description: 'Check it' }),
  ];
  if (random.chance(0.3)) calls.splice(2, 0, todos(['Understand', 'Change', 'Check'], 1));
  if (random.chance(0.3))
    calls.splice(3, 0, bash(job.check, random.pick(ERRORS), { description: 'Check it', fails: true }));
  if (random.chance(0.15))
    calls.push(write(`${cwd}/${job.file.replace(/(\.\w+)$/, '.test$1')}`, `// ${job.prompt}\n${job.after}\n`));
  if (random.chance(0.1))
    calls.push(
      fetchPage('https://docs.example.org/reference', job.prompt, 'The reference confirms it, with an example.'),
    );
  return calls;
}

interface Sub {
  place: { configDir: string; sessionId: string; cwd: string; branch: string };
  job: OddJob;
  random: Random;
  now: () => number;
  pass: (from: number, to: number) => void;
  use: (call: Call) => void;
}

function writeSubagent({ place, job, random, now, pass, use }: Sub): void {
  const agentId = `a${random.hex(16)}`;
  const type = random.pick(['Explore', 'general-purpose']);
  const description = `Look around ${job.file}`;
  const prompt = `Who depends on ${job.file}, and what would break?`;
  const output = `${random.integer(2, 9)} callers; none rely on the old behavior.`;
  const response = { status: 'completed', agentId, description, prompt, content: [{ type: 'text', text: output }] };
  const transcript = new Transcript({
    ...place,
    random,
    now,
    agentId,
    model: random.pick([HAIKU, SONNET]),
    meter: new Meter({ context: 9000 }),
  });
  transcript.hold();
  transcript.prompt(prompt);
  const calls = random.integer(2, 6);
  for (let index = 0; index < calls; index++) {
    pass(1, 8);
    const call = bash(`rg -l "${job.file.split('/').at(-1)}" src | head -${index + 3}`, `src/main.ts\n${job.file}`, {
      description: 'Find callers',
    });
    const id = `toolu_01${random.hex(22)}`;
    transcript.answer([{ type: 'tool_use', id, name: call.name, input: call.input }]);
    transcript.toolResult(id, { content: call.output, toolUseResult: call.response });
  }
  transcript.answer([{ type: 'text', text: output }]);
  transcript.flush(now());
  const meta = { agentType: type, description, spawnDepth: 1, finished: true };
  writeFileSync(transcriptPath(place, agentId).replace(/\.jsonl$/, '.meta.json'), JSON.stringify(meta));
  use({ name: 'Agent', input: { description, prompt, subagent_type: type }, response, output });
}

function thoughtOn({ file, prompt }: OddJob): string {
  return `The request is: ${prompt}. I'd start in ${file}, but callers may rely on its current behavior, so I'll look for them before touching it.`;
}
