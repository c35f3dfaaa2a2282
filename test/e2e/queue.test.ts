import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrchestratedSession } from '../../src/contract/orchestration.ts';
import { launchBrowser } from '../kit/browser.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { openPage } from '../kit/open-page.ts';
import { makeRepository } from '../kit/project.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { takeScreenshot } from '../kit/take-screenshot.ts';
import { waitFor } from '../kit/wait.ts';

const LIMIT = 2;
let orchestra: DaemonWithRunners;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  orchestra = await startDaemonWithRunners(
    [
      { when: 'say hello', reply: [say('Hello.')] },
      {
        when: 'wait for go',
        reply: [callTool('Bash', { command: 'until [ -f go ]; do sleep 0.1; done' }), say('Gone.')],
      },
      {
        when: 'write a file',
        reply: [callTool('Bash', { command: 'echo "$GROUNDCONTROL_PORT" > port.txt' }), say('Written.')],
      },
    ],
    { limit: LIMIT },
  );
  const { daemon, project } = orchestra;
  makeRepository(project, daemon.home, { 'a.txt': 'a\n' });
});
afterAll(async () => {
  await browser?.close();
  await orchestra?.dispose();
});

const start = (name: string, spec: object = {}) =>
  orchestra.start({ name, prompt: 'say hello', allowedTools: ['Bash'], ...spec });
const all = async (): Promise<OrchestratedSession[]> =>
  (await orchestra.call('GET', '/api/orchestrated?limit=1000')).json.sessions;

/** Maximum number of concurrent sessions. */
function mostAtOnce(sessions: readonly OrchestratedSession[]): number {
  const ran = sessions.filter(({ startedAt }) => startedAt !== null);
  return Math.max(
    ...ran.map(
      ({ startedAt: at }) =>
        ran.filter((one) => one.startedAt! <= at! && (one.finishedAt === null || one.finishedAt > at!)).length,
    ),
  );
}

test('never runs more sessions than allowed; priorities, dependencies and cancellations survive a kill', async () => {
  const [one, two] = [await start('one', { prompt: 'wait for go' }), await start('two', { prompt: 'wait for go' })];
  await start('low', { priority: -1 });
  await start('high', { priority: 5 });
  await start('last', { after: ['high'] });
  const cancelled = await start('cancelled');
  await start('normal');
  expect(
    await orchestra.call('POST', '/api/sessions', { prompt: 'x', cwd: orchestra.project, after: ['nobody'] }),
  ).toMatchObject({ status: 404 });
  expect(await orchestra.get('low')).toMatchObject({
    lifecycle: 'queued',
    waitsFor: 'At the limit of 2 sessions at once',
  });
  expect(await orchestra.get('last')).toMatchObject({ waitsFor: 'Waiting for high to succeed' });
  await orchestra.call('POST', `/api/sessions/${cancelled.id}/cancel`);
  const { waiting, running } = (await orchestra.call('GET', '/api/queue')).json;
  expect(waiting.map(({ name }: { name: string }) => name)).toEqual(['high', 'last', 'normal', 'low']);
  expect(running.map(({ name }: { name: string }) => name).sort()).toEqual(['one', 'two']);
  const listed = await orchestra.gctl(['queue']);
  expect(listed.stdout).toMatch(/2 of 2 running, 4 waiting[\s\S]*high[\s\S]*At the limit of 2 sessions at once/);

  for (const { id } of [one, two]) await orchestra.reaches(id, 'running');
  await orchestra.daemon.kill('SIGKILL');
  writeFileSync(join(orchestra.project, 'go'), '');
  await orchestra.restart();
  for (const name of ['one', 'two', 'high', 'last', 'normal', 'low']) await orchestra.reaches(name, 'succeeded');
  expect(await orchestra.get('cancelled')).toMatchObject({ lifecycle: 'cancelled', startedAt: null });
  const sessions = await all();
  expect(mostAtOnce(sessions)).toBeLessThanOrEqual(LIMIT);
  const startOf = (name: string) => sessions.find((session) => session.name === name)!.startedAt!;
  expect(startOf('high')).toBeLessThan(startOf('normal'));
  expect(startOf('normal')).toBeLessThan(startOf('low'));
  expect(startOf('last')).toBeGreaterThanOrEqual(sessions.find(({ name }) => name === 'high')!.finishedAt!);
  rmSync(join(orchestra.project, 'go'));
});

test('can be paused, reordered and resumed; a session gets its own worktree with ports, or a scratch folder', async () => {
  expect((await orchestra.gctl(['queue', 'pause'])).stdout).toContain('Paused');
  await start('tree', { prompt: 'write a file', worktree: {} });
  await orchestra.call('POST', '/api/sessions', { name: 'scratch', prompt: 'write a file', allowedTools: ['Bash'] });
  await waitFor(async () => (await orchestra.get('tree')).waitsFor?.startsWith('Paused by'), { what: 'the pause' });
  expect((await orchestra.gctl(['queue', 'move', 'scratch', '--priority', '9'])).stdout).toContain('scratch');
  const { waiting } = (await orchestra.call('GET', '/api/queue')).json;
  expect(waiting.map(({ name }: { name: string }) => name)).toEqual(['scratch', 'tree']);
  await start('unwanted');
  const page = await openPage(browser, { call: orchestra.call, path: '/queue' });
  await page.getByText(/^Paused by .+Nothing starts until you resume/).waitFor();
  await takeScreenshot(page, 'queue');
  await page.getByRole('button', { name: 'Cancel unwanted' }).click();
  await page.getByRole('button', { name: 'Cancel unwanted' }).waitFor({ state: 'detached' });
  expect(await orchestra.get('unwanted')).toMatchObject({ lifecycle: 'cancelled' });
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  expect((await orchestra.gctl(['queue', 'resume'])).stdout).toContain('Resumed');
  const tree = await orchestra.reaches('tree', 'succeeded');
  const { worktrees } = (await orchestra.call('GET', '/api/worktrees')).json;
  const made = worktrees.find(({ sessionId }: { sessionId: string }) => sessionId === tree.id);
  expect(tree.worktree).toBe(made.path);
  expect(readFileSync(join(made.path, 'port.txt'), 'utf8').trim()).toBe(String(made.ports.first));
  expect(existsSync(join(orchestra.project, 'port.txt'))).toBe(false);
  const diff = (await orchestra.call('GET', `/api/worktrees/${made.id}/diff`)).json;
  expect(diff.files).toMatchObject([{ path: 'port.txt', change: 'added' }]);
  const scratch = await orchestra.reaches('scratch', 'succeeded');
  expect(scratch.cwd).toContain('/scratch/scratch');
  expect(existsSync(join(scratch.cwd, 'port.txt'))).toBe(true);
});
