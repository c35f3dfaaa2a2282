import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realPathOnDisk } from './disk.ts';
import { resolvePath } from './resolve-path.ts';

let root: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'rules-paths-')));
  for (const folder of ['app/src', 'home', 'secret']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'secret/key'), '');
  symlinkSync(join(root, 'secret'), join(root, 'app/out'));
  symlinkSync('../secret/key', join(root, 'app/key'));
  symlinkSync(join(root, 'secret/not-there-yet'), join(root, 'app/dangling'));
  symlinkSync(join(root, 'app/loop'), join(root, 'app/loop'));
  symlinkSync(join(root, 'app/src'), join(root, 'app/inside'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const resolve = (path: string) =>
  resolvePath(path.replace('ROOT', root), {
    cwd: join(root, 'app'),
    home: join(root, 'home'),
    realPath: realPathOnDisk,
  });

describe('a path', () => {
  it.each([
    ['ROOT/app/src/a.ts', 'app/src/a.ts'],
    ['src/a.ts', 'app/src/a.ts'],
    ['./src//a.ts', 'app/src/a.ts'],
    ['src/', 'app/src'],
    ['.', 'app'],
    ['..', ''],
    ['src/../../secret/key', 'secret/key'],
    ['ROOT/app/../secret/key', 'secret/key'],
    ['~/x', 'home/x'],
    ['~', 'home'],
    ['$HOME/x', 'home/x'],
    ['out/key', 'secret/key'],
    ['out', 'secret'],
    ['out/new/file', 'secret/new/file'],
    ['key', 'secret/key'],
    ['inside/a.ts', 'app/src/a.ts'],
    ['new/deep/file.ts', 'app/new/deep/file.ts'],
    ['routes/$id.tsx', 'app/routes/$id.tsx'],
  ])('%s leads to %s', (path, expected) => {
    expect(resolve(path).real).toBe(expected === '' ? root : join(root, expected));
  });

  it.each([
    ['a link to nothing: writing makes the file it points to', 'dangling'],
    ['below a link to nothing', 'dangling/x'],
    ['a loop of links', 'loop'],
    ['`..` after a link: the kernel and a tidy program differ', 'out/../key'],
    ['the home of someone else', '~root/.ssh/id_rsa'],
    ['a variable', '$SECRETS/key'],
    ['a variable in braces', '$\u007bSECRETS}/key'],
    ['nothing', ''],
    ['invisible characters', 'src/a\u200b.ts'],
    ['a NUL', 'src/a\0.ts'],
    ['too long', `src/${'a/'.repeat(3000)}`],
    ['a URL', 'file:///etc/passwd'],
    ['what differs from process to process', '/proc/self/cwd/x'],
    ['a file taken for a folder', 'src/../key/x'],
  ])('cannot be determined: %s', (_, path) => {
    const { real, problem } = resolve(path);
    expect(real).toBeUndefined();
    expect(problem).toMatch(/^it/);
  });

  it('that is relative to an unknown folder cannot be determined', () => {
    expect(resolvePath('a.ts', { realPath: realPathOnDisk }).problem).toMatch(/relative/);
    expect(resolvePath('~/a.ts', { realPath: realPathOnDisk }).problem).toMatch(/home/);
  });
});
