import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FanOut } from '../../src/contract/fan-outs.ts';
import { cleanEnv } from '../kit/daemon-process.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { isAlive } from '../kit/processes.ts';
import { makeRepository } from '../kit/project.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

let orchestra: DaemonWithRunners;

beforeAll(async () => {
  orchestra = await startDaemonWithRunners([
    {
      when: 'write it',
      reply: [
        ({ model }) => callTool('Bash', { command: `echo ${model} > by.txt` }),
        ({ model }) => say(`Written by ${model}.`),
      ],
    },
    { when: 'never end', reply: [callTool('Bash', { command: 'until [ -f go ]; do sleep 0.1; done' }), say('Done.')] },
  ]);
  makeRepository(orchestra.project, orchestra.daemon.home, { 'a.txt': 'a\n' });
});
afterAll(() => orchestra?.dispose());

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: orchestra.project, env: cleanEnv(orchestra.daemon.home), encoding: 'utf8' }).trim();

const get = async (name: string): Promise<FanOut> => (await orchestra.call('GET', `/api/fan-outs/${name}`)).json;
const reaches = (name: string, isReached: (fanOut: FanOut) => boolean, what: string) =>
  waitFor(async () => isReached(await get(name)), { what, timeout: 120_000 });

const MODELS = ['claude-sonnet-4-5', 'claude-haiku-4-5'];

test('sends one prompt to two models, merges the winner, and removes the other with a snapshot', async () => {
  const started = await orchestra.gctl([
    ...['fan-out', 'start', 'race', '-p', 'write it', '--allow', 'Bash'],
    ...MODELS.flatMap((model) => ['--model', model]),
  ]);
  expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('Started race-1, race-2 from') });
  await reaches('race', ({ state }) => state === 'finished', 'both to finish');
  const { runs, base } = await get('race');
  expect(base).toEqual({ ref: 'HEAD', branch: 'main', commit: git('rev-parse', 'HEAD') });
  expect(runs.map(({ name, model, answer, changes }) => ({ name, model, answer, changes }))).toEqual(
    MODELS.map((model, index) => ({
      name: `race-${index + 1}`,
      model,
      answer: `Written by ${model}.`,
      changes: { files: 1, added: 1, removed: 0, tree: expect.any(String) },
    })),
  );
  expect(new Set(runs.map(({ worktree }) => worktree?.path)).size).toBe(2);
  const shown = await orchestra.gctl(['fan-out', 'show', 'race']);
  expect(shown.stdout).toMatch(/race-2\s+claude-haiku-4-5\s+succeeded\s+\$0\.\d+\s+\S+ min\s+1 file \+1 -0/);

  const kept = await orchestra.gctl(['fan-out', 'keep', 'race', 'race-2', '--squash', '-m', 'The better one']);
  expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining('Merged race-2: main is at') });
  expect(git('show', 'main:by.txt')).toBe(MODELS[1]);
  expect(git('log', '-1', '--format=%s', 'main')).toBe('The better one');
  const after = await get('race');
  expect(after).toMatchObject({
    state: 'kept',
    isClearing: false,
    leftovers: [],
    kept: { run: 'race-2', how: 'merge' },
  });
  const [loser, winner] = after.runs;
  expect(loser).toMatchObject({ session: { lifecycle: 'archived' }, worktree: { state: 'removed' } });
  expect(existsSync(runs[0]!.worktree!.path)).toBe(false);
  expect(git('show', `refs/gctl/snap/${loser!.snapshotId}:by.txt`)).toBe(MODELS[0]);
  expect(winner).toMatchObject({ session: { lifecycle: 'succeeded' }, worktree: { state: 'ready' } });
  const again = await orchestra.gctl(['fan-out', 'keep', 'race', 'race-1', '--squash']);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('race-2 of "race" was already kept') });
});

test('keeps one result as a branch, and stops and removes the other that still runs', async () => {
  // unique, so that the test can be tried again
  const name = `mixed${Date.now()}`;
  const { json } = await orchestra.call('POST', '/api/fan-outs', {
    name,
    prompt: 'write it',
    cwd: orchestra.project,
    allowedTools: ['Bash'],
    runs: [{}, { model: MODELS[0] }],
  });
  await reaches(json.id, ({ state }) => state === 'finished', 'both to finish');
  const { json: slow } = await orchestra.call('POST', `/api/sessions/${name}-2/resume`, { prompt: 'never end' });
  expect(slow).toMatchObject({ lifecycle: expect.stringMatching(/running|waiting_for_agent/) });
  const early = await orchestra.gctl(['fan-out', 'keep', name, `${name}-2`, '--branch', `slow/${name}`]);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining(`${name}-2 is still running`) });
  const pids = async () => (await orchestra.call('GET', `/api/sessions/${slow.id}/processes`)).json.pids as number[];
  await waitFor(async () => (await pids()).length > 0, { what: 'its process', timeout: 60_000 });
  const running = await pids();
  const kept = await orchestra.gctl(['fan-out', 'keep', name, `${name}-1`, '--branch', `feature/${name}`]);
  expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining(`feature/${name} is at`) });
  expect(git('ls-tree', '--name-only', `feature/${name}`)).toContain('by.txt');
  await waitFor(() => !running.some(isAlive), { what: 'its processes to end' });
  expect((await get(name)).runs[1]).toMatchObject({ worktree: { state: 'removed' } });
});

test('continues after a kill during startup and during cleanup', async () => {
  const { json } = await orchestra.call('POST', '/api/fan-outs', {
    name: 'crash',
    prompt: 'write it',
    cwd: orchestra.project,
    allowedTools: ['Bash'],
    runs: [{}, {}, {}],
  });
  await orchestra.daemon.kill('SIGKILL');
  await orchestra.restart();
  await reaches(json.id, ({ state }) => state === 'finished', 'all to finish');
  const { runs } = await get(json.id);
  expect(runs.map(({ session, error }) => session?.lifecycle ?? error)).toEqual(Array(3).fill('succeeded'));
  await orchestra.call('POST', `/api/fan-outs/${json.id}/discard`);
  await orchestra.daemon.kill('SIGKILL');
  await orchestra.restart();
  await reaches(json.id, ({ isClearing }) => !isClearing, 'the rest to be removed');
  const { runs: gone, leftovers } = await get(json.id);
  expect(leftovers).toEqual([]);
  expect(gone.map(({ worktree }) => worktree?.state)).toEqual(Array(3).fill('removed'));
  for (const { worktree } of runs) expect(existsSync(worktree!.path)).toBe(false);
});

test("refuses a request that can't start, with the reason", async () => {
  const start = (body: object) =>
    orchestra.call('POST', '/api/fan-outs', {
      name: 'no',
      prompt: 'x',
      cwd: orchestra.project,
      runs: [{}, {}],
      ...body,
    });
  expect(await start({ runs: [{}] })).toMatchObject({ status: 400 });
  expect((await start({ base: 'nowhere' })).json).toMatchObject({ error: { code: 'worktree.no_base' } });
  expect((await start({ runs: [{}, { blueprint: 'nobody' }] })).json).toMatchObject({
    error: { code: 'agent.unknown' },
  });
  expect((await start({ name: 'race' })).json).toMatchObject({ error: { code: 'session.name_taken' } });
  expect((await start({ cwd: join(orchestra.project, '..') })).json).toMatchObject({
    error: { code: 'worktree.no_repository' },
  });
  expect((await orchestra.gctl(['fan-out', 'start', 'one', '-p', 'x', '--model', 'a'])).stderr).toContain(
    'That is 1 run',
  );
  expect((await orchestra.call('GET', '/api/orchestrated?name=no-1')).json.sessions).toEqual([]);
});
