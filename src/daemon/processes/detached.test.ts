import { expect, it } from 'vitest';
import { toTrees } from './detached.ts';
import type { Process } from './read-processes.ts';

function one(pid: number, parentPid: number, more: Partial<Process> = {}): Process {
  return {
    pid,
    parentPid,
    groupId: pid,
    kernelSession: pid,
    hasTerminal: false,
    start: '100',
    isStopped: false,
    command: `command ${pid}`,
    mark: null,
    ...more,
  };
}

it('shows each tree once, and warns about terminals and other sessions in it', () => {
  const table = [
    one(10, 1),
    one(11, 10),
    one(20, 1, { command: 'tmux: server' }),
    one(21, 20, { hasTerminal: true }),
    one(30, 1),
    one(31, 30, { hasTerminal: true }),
    one(32, 31),
    one(40, 1),
  ];
  const detached = table.filter(({ pid }) => pid !== 40 && pid !== 32);
  const trees = toTrees(table, detached, { clients: new Set([32]) });
  expect(trees.map(({ description: { pid, below, warning } }) => [pid, below, warning])).toEqual([
    [10, 1, null],
    [20, 1, 'It holds a terminal, which may be yours.'],
    [30, 2, 'A Claude Code session is running in it.'],
  ]);
  expect(trees[0]?.members.map(({ pid }) => pid)).toEqual([10, 11]);
  expect(trees[1]?.description).toMatchObject({ id: '20:100', command: 'tmux: server' });
});
