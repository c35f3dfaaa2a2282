import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RUNNER_FILES, type RunnerProcesses } from '../../src/contract/runners.ts';
import { startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { isAlive } from '../kit/processes.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

/** Enough to see an order broken or an event lost; `npm run bench chaos-runners` takes more. */
const RUNNERS = 6;
const HOLDING = 3;
const UNTIL_GO = 'until [ -f go ]; do sleep 0.1; done';

const scenario = [
  {
    when: 'work',
    reply: [callTool('Bash', { command: UNTIL_GO }), callTool('Bash', { command: 'echo on' }), say('Worked.')],
  },
  { when: 'ask', reply: [callTool('Bash', { command: 'touch asked.txt' }), say('Asked.')] },
];

async function startCrashing() {
  const orchestra = await startDaemonWithRunners(scenario);
  onTestFinished(orchestra.dispose);
  const processesOf = (runnerId: string): RunnerProcesses =>
    JSON.parse(readFileSync(join(orchestra.runnersDir, runnerId, RUNNER_FILES.processes), 'utf8'));
  return { ...orchestra, orchestra, processesOf };
}

test('runners continue while the daemon is dead, and every event arrives once and in order', async () => {
  const { orchestra } = await startCrashing();
  const workers = await Promise.all(
    Array.from({ length: RUNNERS - HOLDING }, (_, index) =>
      orchestra.start({ name: `work-${index}`, prompt: 'work', allowedTools: ['Bash'] }),
    ),
  );
  const askers = await Promise.all(
    Array.from({ length: HOLDING }, (_, index) => orchestra.start({ name: `ask-${index}`, prompt: 'ask' })),
  );
  await waitFor(async () => (await orchestra.pending()).length === HOLDING, {
    what: 'the approvals',
    timeout: 120_000,
  });
  for (const { id } of workers) await orchestra.reaches(id, 'running');
  await waitFor(
    async () =>
      (await Promise.all(workers.map(({ id }) => orchestra.view(id)))).every(
        ({ agentState }) => agentState.state === 'acting',
      ),
    { what: 'all to work', timeout: 60_000 },
  );
  await orchestra.daemon.kill('SIGKILL');
  writeFileSync(join(orchestra.project, 'go'), '');
  // nobody listens: what needs no answer goes on
  const asked = () =>
    orchestra.api.requests.filter(({ turn, kind }) => kind === 'turn' && turn.prompt.includes('work')).length;
  await waitFor(() => asked() >= 2 * workers.length, { what: 'the workers to go on alone', timeout: 60_000 });
  await orchestra.restart();
  const pending = await orchestra.pending();
  expect(pending).toHaveLength(HOLDING);
  for (const { id } of pending) await orchestra.decide(id, { decision: 'allow' });
  for (const { id } of [...workers, ...askers]) {
    await orchestra.reaches(id, 'succeeded');
    const { events } = (await orchestra.call('GET', `/api/sessions/${id}/events?limit=1000`)).json;
    const told = (events as { name: string; payload: { tool_use_id?: string } }[])
      .filter(({ name }) => /^(UserPromptSubmit|PreToolUse|PostToolUse|Stop)$/.test(name))
      .map(({ name, payload }) => `${name} ${payload.tool_use_id ?? ''}`);
    expect(new Set(told).size).toBe(told.length);
    const names = told.map((one) => one.split(' ')[0]);
    const call = ['PreToolUse', 'PostToolUse'];
    const isWorker = workers.some((worker) => worker.id === id);
    expect(names).toEqual(['UserPromptSubmit', ...call, ...(isWorker ? call : []), 'Stop']);
  }
});

test('a killed runner leaves no orphan, its reports are all there, and its session can be resumed', async () => {
  const { orchestra, processesOf } = await startCrashing();
  const { id } = await orchestra.start({ name: 'killed', prompt: 'work', allowedTools: ['Bash'] });
  const tools = async () => (await orchestra.call('GET', `/api/sessions/${id}/processes`)).json.toolPids as number[];
  await waitFor(async () => (await tools()).length > 0, { what: 'its tool to run', timeout: 60_000 });
  const toolPids = await tools();
  const [runnerId] = readdirSync(orchestra.runnersDir);
  const { runner, clients } = processesOf(runnerId!);
  process.kill(runner.pid, 'SIGKILL');
  const all = [...clients.map(({ pid }) => pid), ...toolPids];
  await waitFor(() => all.every((pid) => !isAlive(pid)), { what: 'its orphans to be ended', timeout: 15_000 });
  const failed = await orchestra.reaches(id, 'failed');
  expect(failed).toMatchObject({ hasRunner: false, error: expect.stringContaining('killed') });
  writeFileSync(join(orchestra.project, 'go'), '');
  await orchestra.call('POST', `/api/sessions/${id}/resume`, { prompt: 'work again' });
  await orchestra.reaches(id, 'succeeded');
  expect(await orchestra.result(id)).toMatchObject({ text: 'Worked.' });
});
