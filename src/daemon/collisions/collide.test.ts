import { expect, test } from 'vitest';
import { collide, type Writer } from './collide.ts';

const MINUTE = 60_000;
const writer = (id: string, over: Partial<Writer> = {}): Writer => ({
  id,
  cwd: '/w/app',
  checkout: '/w/app',
  endedAt: null,
  gone: null,
  written: [],
  ...over,
});
const wrote = (...paths: string[]) => paths.map((path, index) => ({ path, at: index * 1000 }));

test('flags two sessions that write the same file, wherever they run', () => {
  const a = writer('a', { written: wrote('/w/app/x.ts', '/shared/y.ts') });
  const b = writer('b', { cwd: '/w/b', checkout: '/w/b', written: wrote('/w/b/z.ts', '/shared/y.ts') });
  expect(collide(a, b)).toEqual({ sessionId: 'b', place: null, files: ['/shared/y.ts'], since: 1000 });
  expect(collide(b, a)).toMatchObject({ sessionId: 'a', files: ['/shared/y.ts'] });
});

test('flags two sessions that write in one checkout, but not ones that only run in it', () => {
  const a = writer('a', { written: wrote('/w/app/x.ts') });
  const b = writer('b', { cwd: '/w/app/src', written: wrote('/w/app/src/y.ts') });
  expect(collide(a, b)).toMatchObject({ place: '/w/app', files: [] });
  expect(collide(a, writer('c'))).toBeUndefined();
  expect(collide(a, writer('c', { written: wrote('/tmp/notes.md') }))).toBeUndefined();
  expect(collide(a, writer('c', { written: wrote('/w/app-2/y.ts') }))).toBeUndefined();
  // a worktree of the same repository is a separate place
  expect(
    collide(a, writer('d', { checkout: '/w/tree', cwd: '/w/tree', written: wrote('/w/tree/x.ts') })),
  ).toBeUndefined();
  const folder = { cwd: '/notes', checkout: null };
  expect(
    collide(
      writer('a', { ...folder, written: wrote('/notes/a') }),
      writer('b', { ...folder, written: wrote('/notes/b') }),
    ),
  ).toMatchObject({ place: '/notes' });
});

test('ignores sessions that ended or last wrote long ago', () => {
  const a = writer('a', { written: wrote('/w/app/x.ts') });
  expect(collide(a, writer('b', { written: [{ path: '/w/app/x.ts', at: 61 * MINUTE }] }))).toBeUndefined();
  expect(collide(a, writer('b', { written: [{ path: '/w/app/x.ts', at: 59 * MINUTE }] }))).toBeDefined();
  expect(collide(a, writer('b', { endedAt: 1, written: a.written }))).toBeUndefined();
  expect(collide(a, a)).toBeUndefined();
});
