import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNER_FILES } from '../../src/contract/runner-names.ts';
import type { RunnerProcesses } from '../../src/contract/runners.ts';
import { startDaemonWithRunners } from './daemon-with-runners.ts';
import { isAlive } from './processes.ts';
import { callTool, say } from './scripted-answer.ts';
import { waitFor } from './wait.ts';

const UNTIL_GO = 'until [ -f go ]; do sleep 0.1; done';
const SCENARIO = [
  {
    when: 'work',
    reply: [callTool('Bash', { command: UNTIL_GO }), callTool('Bash', { command: 'echo on' }), say('Worked.')],
  },
  { when: 'ask', reply: [callTool('Bash', { command: 'touch asked.txt' }), say('Asked.')] },
];
const PATIENCE_MS = 600_000;

export type RunnerWorld = Awaited<ReturnType<typeof startRunnerWorld>>;

export const startRunnerWorld = () => startDaemonWithRunners(SCENARIO);

/** Some sessions work alone, the others wait for an approval; the daemon is killed and restarted. Returns everything that went wrong. */
export async function killDaemonAmong(world: RunnerWorld, { runners, holding }: { runners: number; holding: number }) {
  const start = (kind: 'work' | 'ask', count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        world.start({ name: `${kind}-${index}`, prompt: kind, allowedTools: kind === 'work' ? ['Bash'] : [] }),
      ),
    );
  const workers = await start('work', runners - holding);
  const askers = await start('ask', holding);
  const pendingAre = (count: number) => async () => (await world.pending()).length === count;
  await waitFor(pendingAre(holding), { what: 'the approvals', timeout: PATIENCE_MS });
  const isActing = async (id: string) => (await world.view(id)).agentState.state === 'acting';
  await waitFor(async () => (await Promise.all(workers.map(({ id }) => isActing(id)))).every(Boolean), {
    what: 'all to work',
    timeout: PATIENCE_MS,
  });
  await world.daemon.kill('SIGKILL');
  writeFileSync(join(world.project, 'go'), '');
  // the daemon is down: whatever needs no answer continues
  const asked = () =>
    world.api.requests.filter(({ turn, kind }) => kind === 'turn' && turn.prompt.includes('work')).length;
  await waitFor(() => asked() >= 2 * workers.length, { what: 'the workers to go on alone', timeout: PATIENCE_MS });
  await world.restart();
  const wrong: string[] = [];
  const pending = await world.pending();
  if (pending.length !== holding) wrong.push(`${pending.length} approvals after the restart`);
  for (const { id } of pending) await world.decide(id, { decision: 'allow' });
  let events = 0;
  for (const session of [...workers, ...askers]) {
    await world.reaches(session.id, 'succeeded');
    const told = await reportsOf(world, session.id);
    events += told.length;
    const call = ['PreToolUse', 'PostToolUse'];
    const expected = ['UserPromptSubmit', ...call, ...(workers.includes(session) ? call : []), 'Stop'];
    const names = told.map((one) => one.split(' ')[0]);
    if (new Set(told).size !== told.length || names.join() !== expected.join())
      wrong.push(`${session.name}: ${told.join(', ')}`);
  }
  return { runners, approvals: pending.length, events, wrong };
}

async function reportsOf(world: RunnerWorld, id: string): Promise<string[]> {
  const { events } = (await world.call('GET', `/api/sessions/${id}/events?limit=1000`)).json;
  return (events as { name: string; payload: { tool_use_id?: string } }[])
    .filter(({ name }) => /^(UserPromptSubmit|PreToolUse|PostToolUse|Stop)$/.test(name))
    .map(({ name, payload }) => `${name} ${payload.tool_use_id ?? ''}`);
}

/** Kills a runner in the middle of a tool. Returns how long its orphans lived, and the state of its session. */
export async function killRunner(world: RunnerWorld, name: string) {
  const { id } = await world.start({ name, prompt: 'work', allowedTools: ['Bash'] });
  const tools = async () => (await world.call('GET', `/api/sessions/${id}/processes`)).json.toolPids as number[];
  await waitFor(async () => (await tools()).length > 0, { what: 'its tool to run', timeout: PATIENCE_MS });
  const toolPids = await tools();
  const { runner, clients } = processesOf(world, id);
  process.kill(runner.pid, 'SIGKILL');
  const killedAt = Date.now();
  const all = [...clients.map(({ pid }) => pid), ...toolPids];
  await waitFor(() => all.every((pid) => !isAlive(pid)), {
    what: 'its orphans to be ended',
    timeout: 60_000,
    interval: 20,
  });
  const orphansMs = Date.now() - killedAt;
  const failed = await world.reaches(id, 'failed');
  const reports = await reportsOf(world, id);
  return { id, orphansMs, failed, reports: reports.map((one) => one.split(' ')[0]) };
}

function processesOf(world: RunnerWorld, sessionId: string): RunnerProcesses {
  const dirs = readdirSync(world.runnersDir).map((name) => join(world.runnersDir, name));
  const read = (dir: string, file: string) => JSON.parse(readFileSync(join(dir, file), 'utf8'));
  // folders of ended runners disappear meanwhile, file by file
  const isOwn = (dir: string) => {
    try {
      return read(dir, RUNNER_FILES.spec).sessionId === sessionId;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  };
  const own = dirs.find(isOwn);
  return read(own!, RUNNER_FILES.processes);
}
