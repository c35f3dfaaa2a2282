import { describe, expect, it } from 'vitest';
import type { Ancestor } from './ancestors.ts';
import { SeenProcesses } from './seen-processes.ts';

const ancestor = (more: Partial<Ancestor>): Ancestor => ({
  pid: 1000,
  start: '5000',
  name: 'sh',
  kernelSession: 1000,
  tty: null,
  mark: null,
  ...more,
});
const nobody = () => undefined;

describe('processes that a session started', () => {
  it('are identified by pid and start time', () => {
    const seen = new SeenProcesses();
    seen.note('s1', [{ pid: 20, start: '7', kernelSession: 20 }], { kernelSession: 10 });
    expect(seen.ownerOf(ancestor({ pid: 20, start: '7' }), nobody)).toBe('s1');
    expect(seen.ownerOf(ancestor({ pid: 20, start: '8', kernelSession: 99 }), nobody)).toBeUndefined();
  });

  it('pass their kernel session on to what they detach', () => {
    const seen = new SeenProcesses();
    seen.note('s1', [{ pid: 20, start: '7', kernelSession: 20 }], { kernelSession: 10 });
    const detached = ancestor({ pid: 50, start: '9', kernelSession: 20 });
    expect(seen.ownerOf(detached, nobody)).toBe('s1');
    expect(seen.ownerOf(detached, () => '7')).toBe('s1');
    // the number leads another session by now
    expect(seen.ownerOf(detached, () => '8000')).toBeUndefined();
  });

  it('do not pass on a kernel session shared with the user’s shell', () => {
    const seen = new SeenProcesses();
    seen.note('s1', [{ pid: 20, start: '7', kernelSession: 10 }], { kernelSession: 10 });
    expect(seen.ownerOf(ancestor({ pid: 50, start: '9', kernelSession: 10 }), nobody)).toBeUndefined();
  });

  it('are forgotten when they have ended', () => {
    const seen = new SeenProcesses();
    const descendants = [
      { pid: 20, start: '7', kernelSession: 10 },
      { pid: 21, start: '8', kernelSession: 10 },
    ];
    seen.note('s1', descendants, { kernelSession: 10 });
    seen.prune((pid) => (pid === 20 ? '7' : undefined));
    expect(seen.ownerOf(ancestor({ pid: 20, start: '7' }), nobody)).toBe('s1');
    expect(seen.ownerOf(ancestor({ pid: 21, start: '8' }), nobody)).toBeUndefined();
  });

  it('are known after a restart, and saved only when something is new', () => {
    const seen = new SeenProcesses();
    expect(seen.save('boot')).toBeUndefined();
    seen.note('s1', [{ pid: 20, start: '7', kernelSession: 20 }], { kernelSession: 10 });
    seen.noteStretch({ sessionId: 's1', from: 100_000, to: 200_000 });
    const saved = seen.save('boot')!;
    expect(seen.save('boot')).toBeUndefined();
    const next = new SeenProcesses();
    next.load(JSON.parse(JSON.stringify(saved)));
    expect(next.ownerOf(ancestor({ pid: 20, start: '7' }), nobody)).toBe('s1');
    expect(next.ownerOf(ancestor({ pid: 50, kernelSession: 20 }), nobody)).toBe('s1');
    expect(next.ranAt(150_000)).toBe('s1');
  });

  it.each([
    [99_900, undefined],
    [99_950, 's1'],
    [150_000, 's1'],
    [200_050, 's1'],
    [200_100, undefined],
  ])('may have been started at %i while a tool ran', (at, owner) => {
    const seen = new SeenProcesses();
    seen.noteStretch({ sessionId: 's1', from: 100_000, to: 200_000 });
    expect(seen.ranAt(at)).toBe(owner);
  });
});
