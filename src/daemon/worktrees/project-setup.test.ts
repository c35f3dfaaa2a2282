import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allotPorts } from './ports.ts';
import { setUpWorktrees } from './worktrees-for-test.ts';

test('copies what the project names and what .worktreeinclude matches, if git ignores it', async () => {
  const { create, write, root } = setUpWorktrees();
  write('.env', 'A=1\n');
  write('config/local.sqlite', 'rows');
  write('other.sqlite', 'rows');
  write('untracked.txt', 'not ignored');
  write('.worktreeinclude', 'config/*.sqlite\nuntracked.txt\n');
  write('.groundcontrol/worktree.json', JSON.stringify({ copy: ['.env', 'gone.txt', 'link'], ports: 3 }));
  symlinkSync('/etc', join(root, 'link'));
  const { path, setup, ports } = await create('w');
  expect(setup.copied.sort()).toEqual(['.env', 'config/local.sqlite']);
  expect(readFileSync(join(path, '.env'), 'utf8')).toBe('A=1\n');
  expect(existsSync(join(path, 'link'))).toBe(false);
  expect(existsSync(join(path, 'other.sqlite'))).toBe(false);
  expect(ports?.count).toBe(3);
});

test("runs the project's commands only after the operator consented to exactly these", async () => {
  const { create, worktrees, write, root, git } = setUpWorktrees();
  const configure = (setup: string[], teardown: string[] = []) =>
    write('.groundcontrol/worktree.json', JSON.stringify({ setup, teardown }));
  configure(['echo "$GROUNDCONTROL_PORT $GROUNDCONTROL_WORKTREE [$GROUNDCONTROL_TOKEN]" > made.txt']);
  await expect(create('w')).rejects.toMatchObject({ code: 'worktree.consent_needed', details: { project: root } });
  expect(git(['branch', '--list', 'gctl/*'])).toBe('');
  expect((await create('skipped', { setup: 'skip' })).setup.status).toBe('skipped');
  const asked = await worktrees.setupOf(root);
  expect(asked).toMatchObject({ isAllowed: false, setup: [expect.stringContaining('made.txt')] });
  await expect(worktrees.allowSetup(root, 'f'.repeat(64), 't')).rejects.toThrow(/has changed since you reviewed it/);
  await worktrees.allowSetup(root, asked.hash!, 't');
  const made = await create('w');
  expect(made.setup).toMatchObject({ status: 'done' });
  expect(readFileSync(join(made.path, 'made.txt'), 'utf8')).toBe(`${made.ports?.first} ${made.path} []\n`);

  configure(['echo one; echo two >&2; exit 3'], ['touch ../torn-down']);
  await expect(create('x')).rejects.toThrow(/wants to run these commands/);
  await worktrees.allowSetup(root, (await worktrees.setupOf(root)).hash!, 't');
  const failed = await create('x');
  expect(failed).toMatchObject({
    state: 'ready',
    setup: { status: 'failed', exitCode: 3, output: expect.stringContaining('two') },
  });
  await worktrees.remove(failed.id, { force: true }, 't');
  expect(existsSync(join(failed.path, '..', 'torn-down'))).toBe(true);
});

test("ignores setup changes in an agent's branch", async () => {
  const { create, write, commit, git } = setUpWorktrees();
  git(['checkout', '-q', '-b', 'agent']);
  write('.groundcontrol/worktree.json', JSON.stringify({ setup: ['touch evil'] }));
  commit('Add a setup');
  git(['checkout', '-q', 'main']);
  const { setup, path } = await create('w', { base: 'agent' });
  expect(setup.status).toBe('none');
  expect(existsSync(join(path, 'evil'))).toBe(false);
});

test.each([
  ['{"setup": "npm ci"}', /setup/],
  ['{"copy": ["../secret"]}', /isn't a file of the project/],
  ['{"copy": [".git/config"]}', /isn't a file of the project/],
  ['{"instal": []}', /instal/],
  ['{', /JSON/],
])('names the mistake in %s', async (text, message) => {
  const { create, write } = setUpWorktrees();
  write('.groundcontrol/worktree.json', text);
  await expect(create('w')).rejects.toThrow(message);
});

test('assigns ports that no other worktree has, and reuses free ones', () => {
  expect(allotPorts([], 10)).toEqual({ first: 20_000, count: 10 });
  const taken = [
    { first: 20_030, count: 10 },
    { first: 20_000, count: 10 },
  ];
  expect(allotPorts(taken, 10)).toEqual({ first: 20_010, count: 10 });
  expect(allotPorts(taken, 30)).toEqual({ first: 20_040, count: 30 });
  expect(allotPorts([{ first: 20_000, count: 10_000 }], 1)).toBeUndefined();
});
