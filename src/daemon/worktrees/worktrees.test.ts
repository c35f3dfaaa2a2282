import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, setUpWorktrees } from './worktrees-for-test.ts';

test('creates a worktree on its own branch and says which changes it lacks', async () => {
  const { create, write, commit, git, root, folder } = setUpWorktrees();
  write('b.txt', 'not committed\n');
  const worktree = await create('Fix-Login');
  expect(worktree).toMatchObject({
    state: 'ready',
    name: 'Fix-Login',
    branch: 'gctl/Fix-Login',
    project: root,
    base: { ref: 'HEAD', branch: 'main', commit: git(['rev-parse', 'HEAD']), missing: { uncommitted: 1, commits: 0 } },
    ports: { first: 20_000, count: 10 },
  });
  expect(worktree.path.startsWith(join(folder, 'data', 'worktrees', 'app-'))).toBe(true);
  expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toContain('two');
  expect(existsSync(join(worktree.path, 'b.txt'))).toBe(false);
  expect(git(['config', '--list', '--local'])).not.toContain('branch.gctl');
  commit('Second');
  const second = await create('second', { base: 'HEAD~1' });
  expect(second.base?.missing).toMatchObject({ uncommitted: 0, commits: 1 });
  expect(second.ports).toEqual({ first: 20_010, count: 10 });
  await expect(create('fix-login')).rejects.toThrow(/already has a worktree Fix-Login/);
  await expect(create('third', { base: 'nowhere' })).rejects.toThrow(/no branch, tag or commit nowhere/);
  await expect(create('third', { base: '--upload-pack=x' })).rejects.toThrow(/no branch, tag or commit/);
});

test('creates many worktrees of one repository at once', async () => {
  const { create, worktrees } = setUpWorktrees();
  const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
  await Promise.all(names.map((name) => create(name)));
  const { worktrees: listed } = await worktrees.list();
  expect(listed.map(({ name }) => name).sort()).toEqual(names.sort());
  expect(new Set(listed.map(({ ports }) => ports?.first)).size).toBe(12);
});

test('refuses a folder without a repository, an empty repository, and a branch in the way', async () => {
  const { worktrees, folder, git, create } = setUpWorktrees();
  const request = { name: 'x', base: 'HEAD', setup: 'run' as const };
  await expect(worktrees.create({ ...request, project: join(folder, 'data') }, 't')).rejects.toThrow(
    /isn't in a git repository/,
  );
  await expect(worktrees.create({ ...request, project: join(folder, 'gone') }, 't')).rejects.toThrow(/isn't a folder/);
  git(['init', '-q', join(folder, 'empty')]);
  await expect(worktrees.create({ ...request, project: join(folder, 'empty') }, 't')).rejects.toThrow(/no commits yet/);
  git(['branch', 'gctl']);
  await expect(create('x')).rejects.toThrow(/branch named "gctl"/);
  expect(await worktrees.list()).toMatchObject({ worktrees: [] });
});

test('diffs everything against the base: committed, changed, untracked, renamed and binary', async () => {
  const { create, worktrees, write, commit, git } = setUpWorktrees();
  const { id, path } = await create('w');
  write('a.txt', 'one\n2\nthree\n', path);
  commit('Change', path);
  write('new file "ü".txt', 'hello\n', path);
  git(['mv', 'a.txt', 'moved.txt'], path);
  writeFileSync(join(path, 'image.bin'), Buffer.from([0, 1, 2, 0]));
  write('.env', 'SECRET=1\n', path);
  const objects = git(['count-objects'], path);
  const diff = await worktrees.diff(id);
  expect(diff).toMatchObject({ total: 3, added: 2, removed: 1 });
  expect(diff.files).toEqual([
    { path: 'image.bin', oldPath: null, change: 'added', added: 0, removed: 0, isBinary: true },
    { path: 'moved.txt', oldPath: 'a.txt', change: 'renamed', added: 1, removed: 1, isBinary: false },
    { path: 'new file "ü".txt', oldPath: null, change: 'added', added: 1, removed: 0, isBinary: false },
  ]);
  const moved = await worktrees.diffFile(id, { path: 'moved.txt', tree: diff.tree, context: 3 });
  expect(moved.hunks[0]?.lines.map(({ kind, text, oldLine, newLine }) => [kind, text, oldLine, newLine])).toEqual([
    ['same', 'one', 1, 1],
    ['removed', 'two', 2, null],
    ['added', '2', null, 2],
    ['same', 'three', 3, 3],
  ]);
  // files as of the diff, whatever was written since
  write('moved.txt', 'other\n', path);
  expect((await worktrees.diffFile(id, { path: 'moved.txt', tree: diff.tree, context: 3 })).hunks).toEqual(moved.hunks);
  expect((await worktrees.diffFile(id, { path: 'moved.txt', context: 3 })).tree).not.toBe(diff.tree);
  expect((await worktrees.patch(id)).toString()).toContain('GIT binary patch');
  // diffing leaves nothing in the repository and doesn't change the agent's index
  expect(git(['count-objects'], path)).toBe(objects);
  expect(git(['status', '--porcelain'], path)).toContain('RM a.txt -> moved.txt');
});

test('diffs against the latest merge base', async () => {
  const { create, worktrees, write, commit, git } = setUpWorktrees();
  const { id, path } = await create('w');
  write('mine.txt', 'mine\n', path);
  commit('Mine', path);
  write('theirs.txt', 'theirs\n');
  commit('Theirs');
  git(['merge', '-q', '--no-edit', 'main'], path);
  expect((await worktrees.diff(id)).files.map(({ path: one }) => one)).toEqual(['mine.txt']);
});

test('runs no program that the repository names', async () => {
  const { create, worktrees, git, write, folder } = setUpWorktrees();
  const { id, path } = await create('w');
  const evil = `touch ${join(folder, 'ran')}; cat`;
  git(['config', 'core.fsmonitor', evil]);
  git(['config', 'diff.external', evil]);
  git(['config', 'diff.x.textconv', evil]);
  write('.gitattributes', '* diff=x\n', path);
  write('.git/hooks/post-checkout', `#!/bin/sh\n${evil}\n`);
  write('a.txt', 'changed\n', path);
  await worktrees.diff(id);
  await worktrees.diffFile(id, { path: 'a.txt', context: 3 });
  await worktrees.details(id);
  await create('other');
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test.each(['squash', 'merge', 'rebase'] as const)(
  '%s brings all work to the base and its checkout',
  async (strategy) => {
    const { create, worktrees, write, commit, git, root } = setUpWorktrees();
    const { id, path } = await create('w');
    write('b.txt', 'b\n', path);
    commit('Add b', path);
    write('c.txt', 'uncommitted\n', path);
    write('d.txt', 'main moved on\n');
    commit('Add d');
    const head = git(['rev-parse', 'HEAD'], path);
    const { tree } = await worktrees.diff(id);
    const merged = await worktrees.merge(id, { strategy, tree, message: 'Bring b and c' }, 'test');
    expect(merged.merged).toMatchObject({ into: 'main', strategy, commit: git(['rev-parse', 'main']) });
    expect(readFileSync(join(root, 'c.txt'), 'utf8')).toBe('uncommitted\n');
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('b\n');
    expect(git(['status', '--porcelain'])).toBe('');
    const parents = git(['log', '-1', '--format=%P']).split(' ').length;
    expect(parents).toBe(strategy === 'merge' ? 2 : 1);
    expect(git(['log', '-1', '--format=%s'])).toBe('Bring b and c');
    if (strategy === 'rebase') expect(git(['log', '-3', '--format=%s'])).toBe('Bring b and c\nAdd b\nAdd d');
    // the worktree itself is unchanged
    expect(git(['rev-parse', 'HEAD'], path)).toBe(head);
    expect(git(['status', '--porcelain'], path)).toBe('?? c.txt');
    expect(git(['worktree', 'list', '--porcelain']).match(/^worktree /gm)).toHaveLength(2);
  },
);

test('refuses to merge over a dirty base, an unfinished rebase, a conflict or unseen changes', async () => {
  const { create, worktrees, write, commit, git, root } = setUpWorktrees();
  const { id, path } = await create('w');
  write('a.txt', 'agent\n', path);
  const { tree } = await worktrees.diff(id);
  write('a.txt', 'dirty\n');
  await expect(worktrees.merge(id, { strategy: 'squash' }, 't')).rejects.toThrow(/uncommitted changes in 1 file/);
  commit('Conflicting');
  const main = git(['rev-parse', 'main']);
  await expect(worktrees.merge(id, { strategy: 'squash' }, 't')).rejects.toThrow(/conflicts with main in a.txt/);
  expect((await worktrees.details(id)).status?.merge).toMatchObject({ into: 'main' });
  git(['reset', '-q', '--hard', 'HEAD~1']);
  write('b.txt', 'later\n', path);
  await expect(worktrees.merge(id, { strategy: 'squash', tree }, 't')).rejects.toThrow(
    /has changed since you reviewed it/,
  );
  // an untracked file in the base would be overwritten
  write('b.txt', 'mine\n');
  await expect(worktrees.merge(id, { strategy: 'squash' }, 't')).rejects.toThrow(/would be overwritten/);
  expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('mine\n');
  rmSync(join(root, 'b.txt'));
  commit('Agent', path);
  git(['checkout', '-q', main, '--detach'], path);
  expect(() => git(['rebase', `gctl/w`], path)).toThrow();
  await expect(worktrees.merge(id, { strategy: 'squash' }, 't')).rejects.toThrow(/rebase is unfinished/);
  // the agent's own rebase is still in progress
  expect((await worktrees.details(id)).status).toMatchObject({ operation: 'rebase', headBranch: null });
});

test("merges into a branch that isn't checked out, and asks for a branch if there is none", async () => {
  const { create, worktrees, write, git } = setUpWorktrees();
  git(['branch', 'release']);
  const { id, path } = await create('w', { base: git(['rev-parse', 'HEAD']) });
  write('b.txt', 'b\n', path);
  await expect(worktrees.merge(id, { strategy: 'squash' }, 't')).rejects.toThrow(/Choose the branch/);
  await worktrees.merge(id, { strategy: 'squash', into: 'release' }, 't');
  expect(git(['show', 'release:b.txt'])).toBe('b');
  await expect(worktrees.merge(id, { strategy: 'squash', into: 'release' }, 't')).rejects.toThrow(
    /already has everything/,
  );
});

test('turns a worktree into a branch without touching it', async () => {
  const { create, worktrees, write, git } = setUpWorktrees();
  const { id, path } = await create('w');
  write('b.txt', 'b\n', path);
  const made = await worktrees.branch(id, { name: 'feature/b', message: 'Add b' }, 'test');
  expect(made).toMatchObject({ branch: 'feature/b', uncommitted: true });
  expect(git(['show', 'feature/b:b.txt'])).toBe('b');
  expect(git(['status', '--porcelain'], path)).toBe('?? b.txt');
  await expect(worktrees.branch(id, { name: 'feature/b' }, 't')).rejects.toThrow(/already exists/);
  await expect(worktrees.branch(id, { name: 'a..b' }, 't')).rejects.toThrow(/isn't a valid name/);
});

test('removes only what is safe elsewhere, and recognizes merges and squash merges', async () => {
  const { create, worktrees, write, commit, git } = setUpWorktrees();
  const safe = async (id: string) => (await worktrees.details(id)).status?.removal.isSafe;
  const fresh = await create('fresh');
  expect(await safe(fresh.id)).toBe(true);
  await worktrees.remove(fresh.id, { force: false }, 't');
  expect(existsSync(fresh.path)).toBe(false);
  // a branch without its own commits is deleted
  expect(git(['branch', '--list', 'gctl/*'])).toBe('');

  const { id, path } = await create('w');
  write('b.txt', 'b\n', path);
  await expect(worktrees.remove(id, { force: false }, 't')).rejects.toThrow(/1 file that git doesn't track yet/);
  commit('Add b', path);
  await expect(worktrees.remove(id, { force: false }, 't')).rejects.toThrow(/1 commit is neither merged nor pushed/);
  git(['merge', '-q', '--squash', 'gctl/w']);
  commit('Squashed');
  write('other.txt', 'more\n');
  commit('More');
  expect(await safe(id)).toBe(true);
  await worktrees.remove(id, { force: false }, 't');
  expect(git(['branch', '--list', 'gctl/*'])).toContain('gctl/w');
  // the branch of a removed worktree stays, so the next worktree of that name gets another branch
  expect((await create('w')).branch).toBe('gctl/w-2');
});

test('removes pushed work', async () => {
  const { create, worktrees, write, commit, git, folder } = setUpWorktrees();
  git(['init', '-q', '--bare', join(folder, 'remote.git')]);
  git(['remote', 'add', 'origin', join(folder, 'remote.git')]);
  const { id, path } = await create('w');
  write('b.txt', 'b\n', path);
  commit('Add b', path);
  expect((await worktrees.details(id)).status).toMatchObject({ unpushed: 1, removal: { isSafe: false } });
  git(['push', '-q', 'origin', 'gctl/w'], path);
  expect((await worktrees.details(id)).status).toMatchObject({ unpushed: 0, removal: { isSafe: true } });
});

test('a forced removal keeps files, staged work, detached commits and ignored files, and restores them', async () => {
  const { create, worktrees, write, commit, git, root } = setUpWorktrees();
  const { id, path } = await create('w');
  git(['checkout', '-q', '--detach'], path);
  write('detached.txt', 'detached\n', path);
  commit('Detached', path);
  const detached = git(['rev-parse', 'HEAD'], path);
  git(['checkout', '-q', 'gctl/w'], path);
  write('a.txt', 'staged\n', path);
  git(['add', 'a.txt'], path);
  write('a.txt', 'changed\n', path);
  write('new.txt', 'new\n', path);
  write('.env', 'SECRET=1\n', path);
  write('data/app.sqlite', 'rows', path);
  write('node_modules/x/index.js', 'x', path);
  rmSync(join(path, '.gitignore'));
  write('.gitignore', '.env\nnode_modules/\n*.sqlite\nlink\n', path);
  symlinkSync('/etc/passwd', join(path, 'link'));
  const { removal } = (await worktrees.details(id)).status!;
  expect(removal.ignored).toEqual({
    kept: ['.env', 'data', 'link'],
    deleted: ['node_modules'],
    tooLarge: [],
  });
  const { snapshot } = await worktrees.remove(id, { force: true }, 't');
  expect(existsSync(path)).toBe(false);
  expect(snapshot.lostCommits).toEqual([detached]);
  const parents = git(['log', '-1', '--format=%P', `refs/gctl/snap/${snapshot.id}`]).split(' ');
  expect(parents).toContain(detached);
  expect(parents.map((parent) => git(['show', `${parent}:a.txt`]))).toContain('staged');
  // no ignored file is in the repository
  expect(git(['ls-tree', '-r', '--name-only', `refs/gctl/snap/${snapshot.id}`])).not.toContain('.env');

  const restored = await worktrees.restore(snapshot.id, {}, 't');
  expect(restored).toMatchObject({ name: 'w', branch: 'gctl/w', project: root, base: { branch: 'main' } });
  expect(readFileSync(join(restored.path, 'a.txt'), 'utf8')).toBe('changed\n');
  expect(readFileSync(join(restored.path, 'new.txt'), 'utf8')).toBe('new\n');
  expect(readFileSync(join(restored.path, '.env'), 'utf8')).toBe('SECRET=1\n');
  expect(readFileSync(join(restored.path, 'data/app.sqlite'), 'utf8')).toBe('rows');
  expect(existsSync(join(restored.path, 'node_modules'))).toBe(false);
  expect(git(['status', '--porcelain'], restored.path).split('\n').sort()).toEqual([
    ' M a.txt',
    '?? new.txt',
    'M .gitignore',
  ]);
});

test('keeps the work in submodules, which git deletes with the worktree', async () => {
  const folder = newFolder();
  const { create, worktrees, write, git } = setUpWorktrees({ folder });
  const library = setUpWorktrees({ folder: join(folder, 'other'), name: 'library' });
  git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'lib']);
  git(['commit', '-q', '-m', 'Add a submodule']);
  const { id, path } = await create('w');
  git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init'], path);
  write('lib/a.txt', 'changed in the submodule\n', path);
  await expect(worktrees.remove(id, { force: false }, 't')).rejects.toThrow(/uncommitted changes/);
  const { snapshot } = await worktrees.remove(id, { force: true }, 't');
  expect(existsSync(path)).toBe(false);
  const restored = await worktrees.restore(snapshot.id, {}, 't');
  expect(readFileSync(join(restored.path, 'lib/a.txt'), 'utf8')).toBe('changed in the submodule\n');
});

test('lists worktrees created by other tools, and leaves them alone', async () => {
  const { create, worktrees, git, folder, root } = setUpWorktrees();
  git(['worktree', 'add', '-q', '-b', 'theirs', join(folder, 'theirs')]);
  const { id, path } = await create('w');
  const { worktrees: ours, others } = await worktrees.list();
  expect(ours).toMatchObject([{ id, isMissing: false, sessions: [] }]);
  expect(others).toMatchObject([{ project: root, path: join(folder, 'theirs'), branch: 'theirs' }]);
  rmSync(path, { recursive: true });
  expect((await worktrees.list()).worktrees).toMatchObject([{ isMissing: true }]);
  // a worktree whose folder was deleted can still be removed from the list
  await worktrees.remove(id, { force: false }, 't');
  expect(git(['worktree', 'list', '--porcelain']).match(/^worktree /gm)).toHaveLength(2);
});

test('a scratch folder can be removed and restored', async () => {
  const { worktrees, write } = setUpWorktrees();
  const { id, path } = await worktrees.createScratch('notes', 't');
  write('notes.md', 'hello\n', path);
  await expect(worktrees.createScratch('NOTES', 't')).rejects.toThrow(/scratch folder .* already exists/);
  await expect(worktrees.diff(id)).rejects.toThrow(/scratch folder/);
  const { snapshot } = await worktrees.remove(id, { force: false }, 't');
  expect(existsSync(path)).toBe(false);
  const restored = await worktrees.restore(snapshot.id, {}, 't');
  expect(readFileSync(join(restored.path, 'notes.md'), 'utf8')).toBe('hello\n');
});
