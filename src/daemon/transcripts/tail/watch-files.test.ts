import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../test/kit/wait.ts';
import { FileWatch } from './watch-files.ts';

function start({ isThere = true } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'gc-watch-'));
  const folder = join(root, 'projects');
  if (isThere) mkdirSync(join(folder, 'app'), { recursive: true });
  const seen: string[] = [];
  const gone: string[] = [];
  const errors: unknown[] = [];
  const watch = new FileWatch({
    folder,
    onChange: (path, { isFirst }) => void seen.push(`${isFirst ? 'first ' : ''}${path.slice(folder.length + 1)}`),
    onGone: (path) => void gone.push(path.slice(folder.length + 1)),
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => {
    watch.stop();
    rmSync(root, { recursive: true, force: true });
    expect(errors).toEqual([]);
  });
  const write = (path: string, text = '{}\n') => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    appendFileSync(join(folder, path), text);
  };
  const saw = (path: string) => waitFor(() => seen.includes(path), { what: `${path} among ${seen}`, timeout: 8000 });
  return { root, folder, watch, seen, gone, write, saw };
}

test('reports existing files, and every write after that', async () => {
  const { watch, write, seen, saw } = start();
  write('app/one.jsonl');
  write('app/one/subagents/agent-a.jsonl');
  write('app/notes.txt');
  watch.start();
  expect(seen.sort()).toEqual(['first app/one.jsonl', 'first app/one/subagents/agent-a.jsonl']);
  write('app/one.jsonl');
  await saw('app/one.jsonl');
  write('app/one/subagents/agent-a.jsonl');
  await saw('app/one/subagents/agent-a.jsonl');
});

test('reports new projects, sessions and subagent folders at any depth', async () => {
  const { watch, write, saw } = start();
  watch.start();
  write('app/two.jsonl');
  await saw('app/two.jsonl');
  write('app/two/subagents/agent-b.jsonl');
  await saw('app/two/subagents/agent-b.jsonl');
  write('app/two/subagents/run-1/agent-c.jsonl');
  await saw('app/two/subagents/run-1/agent-c.jsonl');
  write('web/three.jsonl');
  await saw('web/three.jsonl');
});

test('follows a folder that is created later, or removed and recreated', async () => {
  const { watch, write, folder, root, saw, seen, gone } = start({ isThere: false });
  watch.start();
  write('app/one.jsonl');
  await saw('app/one.jsonl');
  renameSync(folder, join(root, 'elsewhere'));
  await waitFor(() => gone.includes('app/one.jsonl'), { what: 'the file to be missed', timeout: 15_000 });
  seen.length = 0;
  write('app/two.jsonl');
  await saw('app/two.jsonl');
});

test('polling finds changes that no watch event reported', () => {
  const { watch, write, folder, seen } = start();
  watch.start();
  watch.stop();
  write('app/one.jsonl');
  expect(seen).toEqual([]);
  watch.scan();
  expect(seen).toEqual(['app/one.jsonl']);
  watch.scan();
  expect(seen, 'nothing new').toHaveLength(1);
  writeFileSync(join(folder, 'app/one.jsonl'), '');
  watch.scan();
  expect(seen, 'cut short').toHaveLength(2);
});

test('follows a link to a project folder, but none to a file', () => {
  const { watch, root, folder, seen } = start();
  writeFileSync(join(root, 'secret.jsonl'), '{}\n');
  mkdirSync(join(root, 'other'));
  writeFileSync(join(root, 'other', 'four.jsonl'), '{}\n');
  symlinkSync(join(root, 'secret.jsonl'), join(folder, 'app', 'five.jsonl'));
  symlinkSync(join(root, 'other'), join(folder, 'other'));
  watch.start();
  expect(seen).toEqual(['first other/four.jsonl']);
});
