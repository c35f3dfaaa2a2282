import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTime } from '../processes/process-table.ts';
import { WorktreeRows } from './worktree-rows.ts';
import { setUpWorktrees } from './worktrees-for-test.ts';

type SetUp = ReturnType<typeof setUpWorktrees>;

/** As after a restart: a new core on the same journal. */
async function restart({ open, core }: SetUp) {
  core.close();
  const again = open();
  onTestFinished(async () => {
    await again.worktrees.stop();
    again.core.close();
  });
  await again.worktrees.start();
  return again;
}

const branches = ({ git }: SetUp) => git(['branch', '--list', 'gctl/*']);

test('undoes an unfinished worktree, whichever step it was at', async () => {
  const setUp = setUpWorktrees();
  const { create, core, git } = setUp;
  const rows = new WorktreeRows(core.journal.db);
  const [complete, bare, absent] = [await create('complete'), await create('bare'), await create('absent')];
  for (const one of [complete, bare, absent]) rows.save({ ...one, state: 'creating' });
  // git was killed: no link back, and only half the files
  rmSync(join(bare.path, '.git'));
  rmSync(join(bare.path, 'a.txt'));
  git(['worktree', 'remove', '--force', absent.path]);
  git(['branch', '-D', 'gctl/absent']);
  const { worktrees, errors } = await restart(setUp);
  expect(errors).toEqual([]);
  expect((await worktrees.list({ removed: true })).worktrees.map(({ state }) => state)).toEqual([
    'failed',
    'failed',
    'failed',
  ]);
  expect([complete, bare, absent].filter(({ path }) => existsSync(path))).toEqual([]);
  expect(git(['worktree', 'list', '--porcelain']).match(/^worktree /gm)).toHaveLength(1);
  expect(branches(setUp)).toBe('');
  expect(
    await worktrees.create({ project: setUp.root, name: 'complete', base: 'HEAD', setup: 'run' }, 't'),
  ).toMatchObject({ state: 'ready' });
});

test('ends a setup command that survived a kill, and nothing else', async () => {
  const setUp = setUpWorktrees();
  const made = await setUp.create('w');
  const child = spawn('/bin/sh', ['-c', 'sleep 60 & sleep 60'], { detached: true, stdio: 'ignore' });
  const other = spawn('/bin/sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void other.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const running = { pid: child.pid!, start: await startTime(child.pid!) };
  new WorktreeRows(setUp.core.journal.db).save({ ...made, state: 'creating', running } as typeof made);
  await restart(setUp);
  await ended;
  expect(existsSync(made.path)).toBe(false);
  expect(other.exitCode).toBeNull();
});

test('continues a removal whose snapshot was recorded, and drops one without', async () => {
  const setUp = setUpWorktrees();
  const { create, worktrees, write, core, git, folder } = setUp;
  const rows = new WorktreeRows(core.journal.db);
  const [kept, unkept] = [await create('kept'), await create('unkept')];
  write('work.txt', 'work\n', kept.path);
  write('work.txt', 'work\n', unkept.path);
  // as if killed while deleting the files
  const { snapshot, worktree } = await worktrees.remove(kept.id, { force: true }, 't');
  mkdirSync(join(kept.path, 'left'), { recursive: true });
  rows.save({ ...worktree, state: 'removing' });
  rows.save({ ...unkept, state: 'removing', snapshotId: 'none' });
  mkdirSync(join(folder, 'data', 'worktree-temp', 'index-left'));
  const again = await restart(setUp);
  expect(again.errors).toEqual([]);
  expect(existsSync(kept.path)).toBe(false);
  expect(readFileSync(join(unkept.path, 'work.txt'), 'utf8')).toBe('work\n');
  expect(again.worktrees.get(unkept.id)).toMatchObject({ state: 'ready', snapshotId: null });
  expect(readdirSync(join(folder, 'data', 'worktree-temp'))).toEqual([]);
  expect(git(['show', `${snapshot.commit}:work.txt`])).toBe('work');
});

test('finds worktrees again whose journal is lost', async () => {
  const setUp = setUpWorktrees();
  const { path } = await setUp.create('w');
  setUp.write('b.txt', 'b\n', path);
  setUp.core.close();
  rmSync(join(setUp.folder, 'journal.db'));
  const { worktrees } = await restart(setUp);
  const [found] = (await worktrees.list()).worktrees;
  expect(found).toMatchObject({ name: 'w', path, branch: 'gctl/w', project: setUp.root, base: { branch: 'main' } });
  expect((await worktrees.diff(found!.id)).files).toMatchObject([{ path: 'b.txt' }]);
});

test('git keeps a worktree locked while a session works in it, across restarts', async () => {
  const setUp = setUpWorktrees();
  const { create, core, git } = setUp;
  const { id, path, name } = await create('w');
  const lock = () => /^locked (.+)$/m.exec(git(['worktree', 'list', '--porcelain']))?.[1];
  const say = (of: typeof core, event: string, more: object = {}) =>
    of.record({
      sessionId: 's1',
      source: 'hook',
      name: event,
      payload: { session_id: 's1', hook_event_name: event, cwd: path, ...more },
    });
  await say(core, 'UserPromptSubmit', { prompt: 'Work' });
  await expect.poll(lock).toBe('gctl: in use');
  await expect(setUp.worktrees.remove(id, { force: false }, 't')).rejects.toThrow(`${name} is in use by`);
  const again = await restart(setUp);
  expect(lock()).toBe('gctl: in use');
  await say(again.core, 'SessionEnd', { reason: 'other' });
  await expect.poll(lock).toBeUndefined();
  await again.worktrees.remove(id, { force: false }, 't');
});
