import { describe, expect, it } from 'vitest';
import type { Ancestor } from './ancestors.ts';
import { type Evidence, judgeOrigin } from './origin.ts';

let nextPid = 100;
const link = (name: string, more: Partial<Ancestor> = {}): Ancestor => {
  const pid = nextPid++;
  return { pid, start: `${pid}0`, name, kernelSession: pid, tty: null, mark: null, ...more };
};
const agentMark = { sessionId: 's1', role: 'agent' as const };

function judge(lineage: Ancestor[], more: Partial<Evidence> = {}) {
  return judgeOrigin({
    lineage,
    clients: [],
    ownerOf: () => undefined,
    isWatched: (id) => id === 's1',
    ranWhenStarted: () => undefined,
    isConfirmed: () => false,
    ...more,
  });
}

describe('a process', () => {
  it("below a session's client is that agent, even in a confirmed terminal", () => {
    const client = link('claude', { tty: 'pts/1' });
    const lineage = [link('gctl', { tty: 'pts/1' }), client, link('zsh', { tty: 'pts/1' }), link('tmux')];
    const clients = [{ pid: client.pid, start: client.start, sessionId: 's1' }];
    expect(judge(lineage, { clients, isConfirmed: () => true })).toEqual({
      kind: 'agent',
      sessionId: 's1',
      how: 'descends',
    });
  });

  it.runIf(process.platform === 'linux')('with the pid of an exited client is not that client', () => {
    const lineage = [link('gctl'), link('zsh')];
    const clients = [{ pid: lineage[1]!.pid, start: 'another', sessionId: 's1' }];
    expect(judge(lineage, { clients }).kind).toBe('person');
  });

  it('that a session was seen to start is that agent, even without its ancestors', () => {
    const lineage = [link('curl'), link('sh')];
    const ownerOf = ({ pid }: Ancestor) => (pid === lineage[1]!.pid ? 's1' : undefined);
    expect(judge(lineage, { ownerOf })).toEqual({ kind: 'agent', sessionId: 's1', how: 'seen' });
  });

  it('with the mark of an unwatched session belongs to no session', () => {
    expect(judge([link('curl', { mark: { sessionId: 'other', role: 'agent' } })]).kind).toBe('person');
  });

  it('without a terminal is judged by its ancestors, not by its own start', () => {
    const lineage = [link('curl'), link('sh'), link('cron')];
    const started = (index: number) => ({
      ranWhenStarted: ({ pid }: { pid: number }) => (pid === lineage[index]!.pid ? 's1' : undefined),
    });
    expect(judge(lineage, started(0)).kind).toBe('person');
    expect(judge(lineage, started(2))).toMatchObject({ kind: 'unclear', how: 'opened', about: { program: 'cron' } });
  });

  it('that was reparented to the session manager is judged on its own', () => {
    const lineage = [link('curl'), link('sh'), link('systemd')];
    const ranWhenStarted = ({ pid }: { pid: number }) => (pid === lineage[1]!.pid ? 's1' : undefined);
    expect(judge(lineage, { ranWhenStarted })).toMatchObject({ kind: 'unclear', about: { program: 'sh' } });
  });
});

describe('a terminal', () => {
  const shell = link('zsh', { tty: 'pts/3' });
  const lineage = [link('gctl', { tty: 'pts/3' }), shell, link('tmux')];

  it('without any sign of an agent is the user’s', () => {
    const terminal = { pid: shell.pid, start: shell.start, name: 'pts/3', program: 'zsh' };
    expect(judge(lineage)).toEqual({ kind: 'person', terminal });
  });

  it.each<[string, Partial<Evidence>, string]>([
    ['in a tmux that an agent started', { ownerOf: ({ name }) => (name === 'tmux' ? 's1' : undefined) }, 'seen'],
    [
      'that was opened while a tool ran',
      { ranWhenStarted: ({ pid }) => (pid === shell.pid ? 's1' : undefined) },
      'opened',
    ],
    [
      'whose tmux was started while a tool ran',
      { ranWhenStarted: ({ pid }) => (pid === lineage[2]!.pid ? 's1' : undefined) },
      'opened',
    ],
  ])('%s is unclear until it is confirmed', (_what, evidence, how) => {
    expect(judge(lineage, evidence)).toMatchObject({
      kind: 'unclear',
      how,
      about: { pid: shell.pid },
      sessionId: 's1',
    });
    const isConfirmed = ({ pid }: { pid: number }) => pid === shell.pid;
    expect(judge(lineage, { ...evidence, isConfirmed })).toMatchObject({ kind: 'person' });
  });

  it('with the mark of a session is unclear: tmux passes it on to every window', () => {
    const marked = lineage.map((one) => ({ ...one, mark: agentMark }));
    expect(judge(marked)).toMatchObject({ kind: 'unclear', how: 'marked', about: { program: 'zsh' } });
    const isConfirmed = ({ pid }: { pid: number }) => pid === lineage[2]!.pid;
    // the server isn't what gets confirmed: the agent has windows in it, too
    expect(judge(marked, { isConfirmed })).toMatchObject({ kind: 'unclear' });
  });

  it('inside another terminal belongs to that one', () => {
    const inner = [
      link('gctl', { tty: 'pts/9' }),
      link('sh', { tty: 'pts/9' }),
      link('script', { tty: 'pts/3' }),
      shell,
    ];
    expect(judge(inner)).toMatchObject({ terminal: { name: 'pts/9', program: 'sh' } });
  });
});
