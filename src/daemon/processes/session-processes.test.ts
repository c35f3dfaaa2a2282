import { describe, expect, it } from 'vitest';
import type { Process } from './read-processes.ts';
import { SessionProcesses } from './session-processes.ts';

const CLIENT = 100;

function one(pid: number, parentPid: number, more: Partial<Process> = {}): Process {
  return {
    pid,
    parentPid,
    groupId: pid,
    kernelSession: pid,
    start: `${pid}`,
    isStopped: false,
    hasTerminal: false,
    command: '',
    mark: null,
    ...more,
  };
}

const inGroup = (group: number) => ({ groupId: group, kernelSession: group });
const agent = { mark: { sessionId: 's', role: 'agent' as const } };
const harness = { mark: { sessionId: 's', role: 'harness' as const } };
const pids = (found: Process[]) => found.map(({ pid }) => pid).sort((a, b) => a - b);

function ofClient(): SessionProcesses {
  const processes = new SessionProcesses('s');
  processes.addClient(one(CLIENT, 50, inGroup(90)));
  return processes;
}

describe('SessionProcesses', () => {
  const table = [
    one(1, 0),
    one(CLIENT, 50, inGroup(90)),
    one(101, CLIENT, { ...inGroup(90), command: 'mcp server' }),
    one(102, CLIENT, { command: 'sh -c hook', ...harness }),
    one(103, CLIENT, { command: 'curl …; exit 0 # groundcontrol-hook' }),
    one(104, CLIENT, { command: 'bash' }),
    one(105, 104, { ...inGroup(104), command: 'make' }),
    one(106, 105, { command: 'a daemon of make' }),
    one(200, 50, { command: 'somebody else' }),
  ];

  it('distinguishes tools from MCP servers and hooks', () => {
    expect(pids(ofClient().tools(table))).toEqual([104, 105, 106]);
  });

  it('counts everything the client started as its descendants', () => {
    expect(pids(ofClient().descendants(table))).toEqual([101, 102, 103, 104, 105, 106]);
  });

  it('does not treat a mark as proof: an independent process is detached, no matter who uses it', () => {
    const orphans = [
      one(CLIENT, 50, inGroup(90)),
      one(300, 1, { ...agent, command: 'tmux: server' }),
      one(301, 300, { ...agent, command: 'the shell of the person', hasTerminal: true }),
      one(302, 1, harness),
      one(303, 1, { mark: { sessionId: 'other', role: 'agent' } }),
      one(304, 1, { ...agent, command: 'curl …; exit 0 # groundcontrol-hook' }),
    ];
    expect(pids(ofClient().tools(orphans))).toEqual([]);
    expect(pids(ofClient().descendants(orphans))).toEqual([]);
    expect(pids(ofClient().detached(orphans))).toEqual([300, 301, 302]);
  });

  it('distinguishes what a running tool detached from what it forks while being ended', () => {
    const processes = ofClient();
    const running = [
      one(1, 0),
      one(CLIENT, 50, inGroup(90)),
      one(104, CLIENT, agent),
      one(105, 104, { ...agent, ...inGroup(104) }),
      one(106, 1, { ...agent, ...inGroup(104), command: 'nohup server' }),
    ];
    expect(pids(processes.tools(running))).toEqual([104, 105]);
    const dying = [
      one(CLIENT, 50, inGroup(90)),
      one(106, 1, { ...agent, ...inGroup(104), command: 'nohup server' }),
      one(107, 1, { ...agent, ...inGroup(104), command: 'forked at the last moment' }),
    ];
    expect(pids(processes.tools(dying))).toEqual([107]);
    expect(pids(processes.detached(dying))).toEqual([106]);
  });

  it('remembers tools and descendants whose parents have died', () => {
    const processes = ofClient();
    processes.descendants(table);
    const after = [
      one(1, 0),
      one(101, 1, { ...inGroup(90), command: 'mcp server' }),
      one(105, 1, { ...inGroup(104), command: 'make' }),
      one(107, 1, { ...inGroup(104), command: 'started since' }),
      one(106, 1, { start: 'another', command: 'took the number' }),
    ];
    expect(pids(processes.tools(after))).toEqual([105, 107]);
    expect(pids(processes.descendants(after))).toEqual([101, 105, 107]);
  });

  it('spares a daemon that a tool started, its ancestors, and what it runs for others', () => {
    const inTool = [
      one(1, 0),
      one(CLIENT, 1, inGroup(90)),
      one(110, CLIENT, agent),
      one(process.pid, 110, agent),
      one(111, process.pid, agent),
      one(112, 110, agent),
    ];
    expect(pids(ofClient().tools(inTool))).toEqual([112]);
    expect(pids(ofClient().descendants(inTool))).toEqual([112]);
  });

  it('does not spare the tools of a session that the daemon itself has started', () => {
    const own = [one(process.pid, 1), one(CLIENT, process.pid, inGroup(90)), one(120, CLIENT, agent), one(121, 120)];
    expect(pids(ofClient().tools(own))).toEqual([120, 121]);
  });

  it('never counts the session itself or its ancestors', () => {
    const nested = [one(1, 0), one(99, 1, agent), one(CLIENT, 99, { ...agent, ...inGroup(90) })];
    expect(pids(ofClient().descendants(nested))).toEqual([]);
  });

  it('does not mistake the terminal for a tool if the client died while the table was read', () => {
    const processes = ofClient();
    const shell = one(50, 1, { ...inGroup(50), command: 'the shell of the person' });
    const mcp = one(101, CLIENT, { groupId: 90, kernelSession: 50 });
    const other = one(60, 50, { groupId: 60, kernelSession: 50, command: 'what else runs in this terminal' });
    processes.addClient(one(CLIENT, 50, { groupId: 90, kernelSession: 50 }));
    expect(pids(processes.tools([shell, mcp, other]))).toEqual([]);
    expect(pids(processes.descendants([shell, mcp, other]))).toEqual([101]);
    expect(pids(processes.tools([shell, mcp, other]))).toEqual([]);
  });

  it("does not count the children of a process that reused a dead client's pid", () => {
    const reused = [one(CLIENT, 1, { start: 'another' }), one(130, CLIENT), one(131, 130)];
    expect(pids(ofClient().descendants(reused))).toEqual([]);
  });

  it('handles a process table with circular parents', () => {
    const circle = [one(140, 141, agent), one(141, 140)];
    expect(pids(ofClient().tools(circle))).toEqual([]);
    expect(pids(ofClient().detached(circle))).toEqual([140]);
  });
});
