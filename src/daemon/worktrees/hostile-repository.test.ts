import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepository, newFolder, setUpWorktrees } from './worktrees-for-test.ts';

type SetUp = ReturnType<typeof setUpWorktrees>;

/** A program that records that it ran. It passes its input through, so that git accepts it as a filter. */
function plantProgram(folder: string) {
  const ran = join(folder, 'RAN');
  const program = join(folder, 'program.sh');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${ran}\ncat\n`);
  chmodSync(program, 0o755);
  return { program, hasRun: () => existsSync(ran), told: () => (existsSync(ran) ? readFileSync(ran, 'utf8') : '') };
}

/** Everything the daemon does with a repository and its worktrees. */
async function doEverything({ worktrees, create, write }: SetUp): Promise<void> {
  const { id, path } = await create('one');
  write('a.txt', 'changed\n', path);
  write('new.txt', 'new\n', path);
  const { tree } = await worktrees.diff(id);
  await worktrees.diffFile(id, { path: 'a.txt', tree, context: 3 });
  await worktrees.details(id);
  await worktrees.list({});
  await worktrees.branch(id, { name: 'kept' }, 'test');
  for (const strategy of ['squash', 'merge', 'rebase'] as const) {
    write(`${strategy}.txt`, 'more\n', path);
    await worktrees.merge(id, { strategy, into: 'main' }, 'test');
  }
  write('later.txt', 'later\n', path);
  const { snapshot } = await worktrees.remove(id, { force: true }, 'test');
  const restored = await worktrees.restore(snapshot.id, {}, 'test');
  expect(readFileSync(join(restored.path, 'later.txt'), 'utf8')).toBe('later\n');
}

const config = (settings: Record<string, string>) => (git: SetUp['git']) => {
  for (const [key, value] of Object.entries(settings)) git(['config', key, value]);
};
type Plant = (setUp: SetUp, program: string) => void;
const attributes = (text: string, settings: (program: string) => Record<string, string>): Plant => {
  return ({ root, write, commit, git }, program) => {
    write('.gitattributes', text, root);
    commit('Attributes');
    config(settings(program))(git);
  };
};
const settings = (of: (program: string) => Record<string, string>): Plant => {
  return ({ git }, program) => config(of(program))(git);
};

const VECTORS: Record<string, Plant> = {
  'a clean and a smudge filter': attributes('* filter=evil\n', (program) => ({
    'filter.evil.clean': program,
    'filter.evil.smudge': program,
    'filter.evil.required': 'true',
  })),
  'a filter process': attributes('* filter=evil\n', (program) => ({ 'filter.evil.process': program })),
  'a filter named in info/attributes': ({ root, git }, program) => {
    mkdirSync(join(root, '.git/info'), { recursive: true });
    writeFileSync(join(root, '.git/info/attributes'), '* filter=evil diff=evil merge=evil\n');
    config({ 'filter.evil.clean': program, 'filter.evil.smudge': program })(git);
  },
  'an attributes file named in the configuration': ({ folder, git }, program) => {
    writeFileSync(join(folder, 'attributes'), '* filter=evil\n');
    config({ 'core.attributesFile': join(folder, 'attributes'), 'filter.evil.clean': program })(git);
  },
  'a textconv and an external diff': attributes('* diff=evil\n', (program) => ({
    'diff.evil.textconv': program,
    'diff.evil.command': program,
    'diff.external': program,
  })),
  'a merge driver': attributes('* merge=evil\n', (program) => ({ 'merge.evil.driver': `${program} %O %A %B` })),
  'a file monitor': settings((program) => ({ 'core.fsmonitor': program, 'core.fsmonitorHookVersion': '2' })),
  'a hooks path': ({ folder, git }, program) => {
    plantHooks(join(folder, 'hooks'), program);
    config({ 'core.hooksPath': join(folder, 'hooks') })(git);
  },
  'hooks in the repository': ({ root }, program) => plantHooks(join(root, '.git/hooks'), program),
  'aliases for commands': settings((program) =>
    Object.fromEntries(['status', 'add', 'diff', 'worktree'].map((name) => [`alias.${name}`, `!${program}`])),
  ),
  'an editor, a pager, ssh and a credential helper': settings((program) => ({
    'core.editor': program,
    'sequence.editor': program,
    'core.pager': program,
    'pager.diff': program,
    'pager.log': program,
    'core.sshCommand': program,
    'core.askPass': program,
    'core.gitProxy': program,
    'credential.helper': `!${program}`,
  })),
  'signing with a program': settings((program) => ({
    'commit.gpgSign': 'true',
    'gpg.program': program,
    'gpg.format': 'openpgp',
    'log.showSignature': 'true',
  })),
  'an included file': ({ folder, write, root, commit, git }, program) => {
    write('.gitattributes', '* filter=evil\n', root);
    commit('Attributes');
    writeFileSync(join(folder, 'included'), `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n`);
    config({ 'include.path': join(folder, 'included') })(git);
  },
  "a worktree's own configuration": ({ root, git, write, commit }, program) => {
    write('.gitattributes', '* filter=evil\n', root);
    commit('Attributes');
    config({ 'extensions.worktreeConfig': 'true' })(git);
    git(['config', '--worktree', 'filter.evil.clean', program]);
    git(['config', '--worktree', 'filter.evil.smudge', program]);
  },
  'a worktree somewhere else': ({ folder, git }) => {
    mkdirSync(join(folder, 'elsewhere'));
    config({ 'core.worktree': join(folder, 'elsewhere') })(git);
  },
  'a promisor remote': settings((program) => ({
    'extensions.partialClone': 'origin',
    'remote.origin.url': `ext::${program}`,
    'remote.origin.promisor': 'true',
    'remote.origin.uploadpack': program,
    'protocol.ext.allow': 'always',
  })),
  'maintenance after each command': settings((program) => ({
    'gc.auto': '1',
    'gc.recentObjectsHook': program,
    'maintenance.auto': 'true',
  })),
};

function plantHooks(folder: string, program: string): void {
  mkdirSync(folder, { recursive: true });
  const names = ['post-checkout', 'post-merge', 'pre-commit', 'pre-rebase', 'post-rewrite', 'reference-transaction'];
  for (const name of [...names, 'post-index-change', 'pre-auto-gc', 'prepare-commit-msg']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${program} ${name}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

test.for(Object.entries(VECTORS))('runs no program that a repository names by %s', async ([name, plant]) => {
  const setUp = setUpWorktrees();
  const { program, hasRun, told } = plantProgram(setUp.folder);
  plant(setUp, program);
  // setting it up with plain git may already have run the program
  rmSync(join(setUp.folder, 'RAN'), { force: true });
  if (name === 'a worktree somewhere else') {
    const { id, path } = await setUp.create('one');
    setUp.write('a.txt', 'changed\n', path);
    expect((await setUp.worktrees.diff(id)).files.map((file) => file.path)).toEqual(['a.txt']);
    return;
  }
  await doEverything(setUp);
  expect(told()).toBe('');
  expect(hasRun()).toBe(false);
});

test('runs no program that a submodule names', async () => {
  const setUp = setUpWorktrees();
  const { program, told } = plantProgram(setUp.folder);
  const { git, write, create, worktrees, folder } = setUp;
  const library = makeRepository(join(folder, 'other'), 'library');
  library.write('.gitattributes', '* filter=evil\n');
  library.commit('Attributes');
  git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'lib']);
  git(['commit', '-q', '-m', 'Add a submodule']);
  const { id, path } = await create('deep');
  git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init'], path);
  for (const [key, value] of [
    ['filter.evil.clean', program],
    ['filter.evil.smudge', program],
    ['core.fsmonitor', program],
  ] as const)
    git(['config', key, value], join(path, 'lib'));
  git(['config', '-f', '.gitmodules', 'submodule.lib.ignore', 'none'], path);
  write('lib/a.txt', 'changed in the submodule\n', path);
  await worktrees.diff(id);
  const { status } = await worktrees.details(id);
  expect(status?.changed).toBe(2);
  await worktrees.merge(id, { strategy: 'squash', into: 'main' }, 'test');
  await worktrees.remove(id, { force: true }, 'test');
  expect(told()).toBe('');
});

test('a configuration that changes all the time runs nothing either', async () => {
  const setUp = setUpWorktrees();
  const { program, told } = plantProgram(setUp.folder);
  const { root, write, commit, create, worktrees } = setUp;
  write('.gitattributes', '* filter=evil\n', root);
  commit('Attributes');
  const { id, path } = await create('one');
  const file = join(root, '.git/config');
  const plain = readFileSync(file, 'utf8');
  let round = 0;
  const writing = setInterval(() => {
    round += 1;
    const evil = `[filter "evil"]\n\tclean = ${program} ${round}\n\tprocess = ${program}\n`;
    writeFileSync(file, round % 2 === 0 ? plain : plain + evil);
  }, 1);
  try {
    for (let at = 0; at < 10; at++) {
      write('a.txt', `round ${at}\n`, path);
      await worktrees.diff(id);
    }
  } finally {
    clearInterval(writing);
  }
  expect(round).toBeGreaterThan(10);
  expect(told()).toBe('');
});

test("runs the operator's own filters, as git would in a terminal", async () => {
  const setUp = setUpWorktrees();
  const { root, write, commit, create, worktrees, git, env } = setUp;
  write('.gitattributes', '*.txt filter=upper\n', root);
  commit('Attributes');
  const own = '[filter "upper"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n';
  writeFileSync(join(env.HOME!, '.gitconfig'), `${readFileSync(join(env.HOME!, '.gitconfig'), 'utf8')}${own}`);
  write('a.txt', 'loud\n', root);
  commit('Loud');
  expect(git(['show', 'HEAD:a.txt'])).toBe('LOUD');
  const { id, path } = await create('one');
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('loud\n');
  write('b.txt', 'quiet\n', path);
  expect((await worktrees.diff(id)).files.map((file) => file.path)).toEqual(['b.txt']);
  await worktrees.merge(id, { strategy: 'squash', into: 'main' }, 'test');
  expect(git(['show', 'main:b.txt'])).toBe('QUIET');
  expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('quiet\n');
});

test('a worktree leads to its repository, not to our stand-in for it', async () => {
  const folder = newFolder();
  const { root, create, git } = setUpWorktrees({ folder });
  const { path } = await create('one');
  expect(readFileSync(join(path, '.git'), 'utf8')).toBe(`gitdir: ${root}/.git/worktrees/one\n`);
  expect(git(['rev-parse', '--path-format=absolute', '--git-common-dir'], path)).toBe(`${root}/.git`);
});
