import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killDaemonAmong, killRunner, type RunnerWorld, startRunnerWorld } from '../kit/chaos-runners.ts';

// the long versions: npm run bench chaos-runners
let world: RunnerWorld;
beforeAll(async () => {
  world = await startRunnerWorld();
});
afterAll(() => world?.dispose());

test('runners continue while the daemon is dead, and every event arrives once and in order', async () => {
  const { approvals, wrong } = await killDaemonAmong(world, { runners: 6, holding: 3 });
  expect({ approvals, wrong }).toEqual({ approvals: 3, wrong: [] });
});

test('a killed runner leaves no orphan, its reports are all there, and its session can be resumed', async () => {
  rmSync(join(world.project, 'go'), { force: true });
  const { id, failed, reports } = await killRunner(world, 'killed');
  expect(failed).toMatchObject({ hasRunner: false, error: expect.stringContaining('killed') });
  expect(reports).toEqual(['UserPromptSubmit', 'PreToolUse']);
  writeFileSync(join(world.project, 'go'), '');
  await world.call('POST', `/api/sessions/${id}/resume`, { prompt: 'work again' });
  await world.reaches(id, 'succeeded');
  expect(await world.result(id)).toMatchObject({ text: 'Worked.' });
});
