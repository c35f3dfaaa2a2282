import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { previewEdit } from './edit-preview.ts';

const folder = mkdtempSync(join(tmpdir(), 'gc-preview-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const numbered = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const lines = ({ diff }: Awaited<ReturnType<typeof previewEdit>>) =>
  diff?.hunks.flatMap((hunk) => hunk.lines).map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text]);

it('numbers an edit by file lines, with three lines of context', async () => {
  const path = write('plain.txt', numbered);
  const preview = await previewEdit({
    toolName: 'Edit',
    toolInput: { file_path: path, old_string: 'line 12', new_string: 'line twelve' },
  });
  expect(lines(preview)).toEqual([
    ['same', 9, 9, 'line 9'],
    ['same', 10, 10, 'line 10'],
    ['same', 11, 11, 'line 11'],
    ['removed', 12, null, 'line 12'],
    ['added', null, 12, 'line twelve'],
    ['same', 13, 13, 'line 13'],
    ['same', 14, 14, 'line 14'],
    ['same', 15, 15, 'line 15'],
  ]);
  expect(preview).toMatchObject({ note: null, diff: { added: 1, removed: 1, clipped: false } });
});

it("applies the steps of a MultiEdit in order, relative to the call's folder", async () => {
  write('steps.txt', 'a\nb\na\n');
  const preview = await previewEdit({
    cwd: folder,
    toolName: 'MultiEdit',
    toolInput: {
      file_path: 'steps.txt',
      edits: [
        { old_string: 'a', new_string: 'c', replace_all: true },
        { old_string: 'b', new_string: 'd' },
      ],
    },
  });
  expect(preview.diff).toMatchObject({ path: 'steps.txt', added: 3, removed: 3 });
});

it('says what a Write replaces, and that a file is new', async () => {
  const path = write('old.txt', 'one\ntwo\n');
  const over = await previewEdit({ toolName: 'Write', toolInput: { file_path: path, content: 'one\nthree\n' } });
  expect(over).toMatchObject({ note: 'Overwrites the whole file', diff: { added: 1, removed: 1 } });
  const fresh = await previewEdit({
    toolName: 'Write',
    toolInput: { file_path: join(folder, 'new.txt'), content: 'one\n' },
  });
  expect(fresh.note).toBe('New file');
  expect(lines(fresh)).toEqual([['added', null, 1, 'one']]);
});

it('warns about an edit that would fail', async () => {
  const path = write('twice.txt', 'x\nx\n');
  const edit = (old_string: string) =>
    previewEdit({ toolName: 'Edit', toolInput: { file_path: path, old_string, new_string: 'y' } });
  expect(await edit('z')).toEqual({ diff: null, note: expect.stringContaining('is not in the file') });
  expect(await edit('x')).toEqual({ diff: null, note: expect.stringContaining('more than once') });
});

it('hides secrets that are only in the file', async () => {
  const key = ['sk', 'ant', 'api03', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'].join('-');
  const path = write('.env', `KEY=${key}\nPORT=1\n`);
  const edit = await previewEdit({
    toolName: 'Edit',
    toolInput: { file_path: path, old_string: 'PORT=1', new_string: 'PORT=2' },
  });
  const over = await previewEdit({ toolName: 'Write', toolInput: { file_path: path, content: 'PORT=2\n' } });
  expect(JSON.stringify([edit, over])).not.toContain(key);
});

it('refuses to open pipes, devices, folders and links, and ignores other calls', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync('/etc/passwd', join(folder, 'link'));
  for (const path of [join(folder, 'pipe'), join(folder, 'link'), folder, '/dev/zero'])
    expect((await previewEdit({ toolName: 'Write', toolInput: { file_path: path, content: '' } })).diff).toBeNull();
  expect(await previewEdit({ toolName: 'Bash', toolInput: { command: 'ls' } })).toEqual({ diff: null, note: null });
  const malformed = { file_path: join(folder, 'plain.txt'), edits: [{ old_string: 'line 1' }, 7] };
  expect(await previewEdit({ toolName: 'MultiEdit', toolInput: malformed })).toEqual({ diff: null, note: null });
});
