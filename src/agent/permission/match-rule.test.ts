import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { allows, denies } from './match-rule.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'gc-rules-')));
symlinkSync('/etc', join(cwd, 'link'));
afterAll(() => rmSync(cwd, { recursive: true }));

const edit = (file_path: string) => ({ name: 'Edit', input: { file_path } });

it('allows files in a folder by their resolved path, not by their prefix', () => {
  for (const rule of ['Edit(src/:*)', 'Edit(src/**)', `Edit(${cwd}/src/:*)`]) {
    expect(allows(rule, edit('src/a.ts'), cwd)).toBe(true);
    expect(allows(rule, edit(join(cwd, 'src/a.ts')), cwd)).toBe(true);
    expect(allows(rule, edit('src/../../other/.bashrc'), cwd)).toBe(false);
    expect(allows(rule, edit('src2/a.ts'), cwd)).toBe(false);
  }
  expect(allows('Edit(link/:*)', edit('link/hosts'), cwd)).toBe(true);
  expect(allows(`Edit(${cwd}/:*)`, edit('link/hosts'), cwd)).toBe(false);
});

it('denies a file in every spelling', () => {
  for (const path of ['.env', './.env', 'src/../.env', join(cwd, '.env')])
    expect(denies('Edit(.env)', edit(path), cwd)).toBe(true);
  expect(denies('Edit(/etc/**)', edit('link/hosts'), cwd)).toBe(true);
  expect(denies('Edit(**)', edit('a/b.ts'), cwd)).toBe(true);
  expect(denies('Edit(.env)', edit('.env.example'), cwd)).toBe(false);
});
