import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WorktreeList, type WorktreeView } from '../../src/contract/worktrees.ts';
import { type DaemonProcess, newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { makeProject } from '../kit/project.ts';
import { runGctl } from '../kit/run-gctl.ts';
import { waitFor } from '../kit/wait.ts';

/** Enough files for a checkout to take a moment. */
const FILES = 1500;

const many = () => ({
  '.gitignore': '.env\n',
  ...Object.fromEntries(Array.from({ length: FILES }, (_, file) => [`many/${file}.txt`, `${file}\n`.repeat(50)])),
});

const headersOf = ({ operatorToken }: DaemonProcess) => ({
  authorization: `Bearer ${operatorToken}`,
  'content-type': 'application/json',
});

function post(daemon: DaemonProcess, path: string, body: object): Promise<Response> {
  return fetch(daemon.url + path, { method: 'POST', headers: headersOf(daemon), body: JSON.stringify(body) });
}

async function list(daemon: DaemonProcess): Promise<WorktreeView[]> {
  const answer = await fetch(`${daemon.url}/api/worktrees`, { headers: headersOf(daemon) });
  return WorktreeList.parse(await answer.json()).worktrees;
}

test('leaves no half-created worktree and loses no work when killed at any moment', async () => {
  const home = newHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const project = makeProject(home, many());
  const works = new Map<string, string>();
  let daemon = await startDaemonProcess({ home });
  onTestFinished(() => daemon.dispose());
  for (let kill = 0; kill < 6; kill++) {
    const ready = await list(daemon);
    const busy = [
      ...[0, 1].map((one) => post(daemon, '/api/worktrees', { project: project.folder, name: `w${kill}-${one}` })),
      ...ready.map(({ id }) => post(daemon, `/api/worktrees/${id}/remove`, { force: true })),
    ];
    const settled = Promise.allSettled(busy);
    await sleep(30 + kill * 160);
    await daemon.kill('SIGKILL');
    await settled;
    daemon = await startDaemonProcess({ home });
    const left = await waitFor(
      async () => {
        const all = await list(daemon);
        return all.every(({ state }) => state === 'ready') ? all : undefined;
      },
      { what: 'half-made worktrees to be put right', timeout: 60_000 },
    );
    // git's list, the folders and our list agree
    const known =
      project
        .git('worktree', 'list', '--porcelain')
        .match(/^worktree .+$/gm)
        ?.slice(1) ?? [];
    expect(known.map((line) => line.slice('worktree '.length)).sort()).toEqual(left.map(({ path }) => path).sort());
    const [repository = ''] = readdirSync(join(home, '.groundcontrol', 'worktrees'));
    const folders = repository ? readdirSync(join(home, '.groundcontrol', 'worktrees', repository)) : [];
    expect(folders.sort()).toEqual(left.map(({ name }) => name).sort());
    for (const { path, name } of left) {
      expect(project.git('-C', path, 'status', '--porcelain', '--', 'many')).toBe('');
      writeFileSync(join(path, 'work.txt'), name);
      writeFileSync(join(path, '.env'), name);
      works.set(name, path);
    }
  }
  // all work is still in its worktree, or in a snapshot
  const refs = project.git('for-each-ref', '--format=%(objectname)', 'refs/gctl/snap').split('\n').filter(Boolean);
  const kept = refs.map((ref) => project.git('show', `${ref}:work.txt`));
  const there = (await list(daemon)).map(({ name }) => name);
  expect([...works.keys()].filter((name) => !kept.includes(name) && !there.includes(name))).toEqual([]);
});

test('gctl worktrees: from a base to the branch and back from a snapshot', async () => {
  const home = newHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { folder, git } = makeProject(home, many());
  const daemon = await startDaemonProcess({ home });
  onTestFinished(() => daemon.dispose());
  const gctl = async (...args: string[]) => {
    const env = { GROUNDCONTROL_TOKEN: daemon.operatorToken };
    const { code, stdout, stderr } = await runGctl(home, ['worktrees', ...args], { cwd: folder, env });
    return { code, text: stdout + stderr };
  };
  writeFileSync(join(folder, '.env'), 'SECRET=1\n');
  writeFileSync(join(folder, '.worktreeinclude'), '.env\n');
  expect((await gctl()).text).toContain('No worktrees');
  const made = await gctl('create', 'fix');
  expect(made.text).toMatch(
    /Created .+\/fix on gctl\/fix\n {2}from HEAD \(main\), [0-9a-f]{12}\n {2}without the project's 1 uncommitted file/,
  );
  expect(made.text).toContain('copied .env');
  const [{ path, id } = { path: '', id: '' }] = await list(daemon);
  writeFileSync(join(path, 'new.txt'), 'new\n');
  expect((await gctl('list')).text).toMatch(/fix +ready +gctl\/fix/);
  expect((await gctl('diff', 'fix')).text).toContain('+++ b/new.txt');
  expect((await gctl('diff', 'fix', '--stat')).text).toMatch(/new.txt +added +\+1 -0\n1 file changed/);
  expect((await gctl('show', 'fix')).text).toContain("1 file that git doesn't track yet");
  expect(await gctl('remove', 'fix')).toMatchObject({ code: 1, text: expect.stringContaining('nowhere else') });
  expect(await gctl('remove', 'fix', '--force')).toMatchObject({ code: 2, text: expect.stringContaining('--yes') });
  expect(await gctl('merge', 'fix')).toMatchObject({ code: 2, text: expect.stringContaining('--squash') });
  expect((await gctl('branch', 'fix', 'feature')).text).toContain('Created branch feature');
  expect((await gctl('merge', 'fix', '--squash', '-m', 'Add new.txt')).text).toContain('Merged fix into main (squash');
  expect(git('log', '-1', '--format=%s')).toBe('Add new.txt');
  const removed = await gctl('remove', 'fix', '--force', '--yes');
  const [, snapshot = ''] = /gctl worktrees restore ([0-9a-f]{8})/.exec(removed.text) ?? [];
  expect(existsSync(path)).toBe(false);
  expect((await gctl('snapshots')).text).toContain(snapshot);
  expect((await gctl('restore', snapshot)).text).toContain('Restored');
  expect((await gctl('show', 'nothing')).text).toContain('No worktree named "nothing"');
  expect(existsSync(join(path, '.env'))).toBe(true);
  expect((await list(daemon))[0]?.id).not.toBe(id);
  // an agent, which has the hook token at most, can't change anything
  const hooks = { 'x-groundcontrol-token': daemon.credentials.hookToken, 'content-type': 'application/json' };
  const asAgent = await fetch(`${daemon.url}/api/worktrees/${id}/remove`, {
    method: 'POST',
    headers: hooks,
    body: '{}',
  });
  expect(asAgent.status).toBe(401);
});
