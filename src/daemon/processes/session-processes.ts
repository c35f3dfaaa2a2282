import { COMMAND_SENTINEL } from '../hooks/own-hook.ts';
import type { Process } from './read-processes.ts';

/**
 * What a session has started, looked up in one process table after another. It remembers whom it saw: a process whose
 * parent has died belongs to nobody any more, and only Linux and newer clients mark theirs.
 */
export class SessionProcesses {
  readonly #sessionId: string;
  readonly #clients = new Set<number>();
  /** Kernel sessions of tools, with the start of the process that leads each. */
  readonly #toolSessions = new Map<number, string | undefined>();
  readonly #seen = new Map<number, string>();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** A process of the session itself. More than one, if it was resumed beside itself. */
  addClient(pid: number): void {
    this.#clients.add(pid);
  }

  /** It has gone on with another session: what it starts is no longer ours. */
  removeClient(pid: number): void {
    this.#clients.delete(pid);
  }

  /** What its tools run. */
  tools(table: Process[]): Process[] {
    const starts = new Map(table.map(({ pid, start }) => [pid, start]));
    // a number whose leader has died is not given again while the session has members; a new leader is another session
    const isToolSession = (id: number) =>
      this.#toolSessions.has(id) && (!starts.has(id) || starts.get(id) === this.#toolSessions.get(id));
    const groups = new Set(table.filter(({ pid }) => this.#clients.has(pid)).map(({ groupId }) => groupId));
    // an MCP server stays in the client's group; a tool, but also a hook's command, gets one of its own
    const isTool = ({ parentPid, groupId, kernelSession, mark, command }: Process) => {
      if (mark?.role === 'harness' || command.includes(COMMAND_SENTINEL)) return false;
      if (mark?.role === 'agent' && mark.sessionId === this.#sessionId) return true;
      return isToolSession(kernelSession) || (this.#clients.has(parentPid) && !groups.has(groupId));
    };
    const tools = this.#notOurs(table, withOffspring(table, table.filter(isTool)));
    for (const { kernelSession: id } of tools)
      if (!this.#toolSessions.has(id)) this.#toolSessions.set(id, starts.get(id));
    return tools;
  }

  /** All that it started: tools, hooks, MCP servers. */
  offspring(table: Process[]): Process[] {
    const isKnown = ({ pid, parentPid, start, mark }: Process) =>
      this.#clients.has(parentPid) || mark?.sessionId === this.#sessionId || this.#seen.get(pid) === start;
    const roots = [...table.filter(isKnown), ...this.tools(table)];
    const found = this.#notOurs(table, withOffspring(table, roots));
    for (const { pid, start } of found) this.#seen.set(pid, start);
    return found;
  }

  /**
   * The daemon may itself have been started by a tool: it, what runs it and what it runs for others are nobody's to end.
   * The session's own processes are ended as such.
   */
  #notOurs(table: Process[], processes: Process[]): Process[] {
    const byPid = new Map(table.map((one) => [one.pid, one]));
    const ancestors = new Set(lineage(byPid, byPid.get(process.pid)));
    return processes.filter((one) => {
      if (this.#clients.has(one.pid) || ancestors.has(one)) return false;
      const upward = [...lineage(byPid, one)];
      const owner = upward.find(({ pid }) => pid === process.pid || this.#clients.has(pid));
      return owner?.pid !== process.pid;
    });
  }
}

function withOffspring(table: Process[], roots: Process[]): Process[] {
  const children = new Map<number, Process[]>();
  for (const one of table) {
    const siblings = children.get(one.parentPid);
    if (siblings) siblings.push(one);
    else children.set(one.parentPid, [one]);
  }
  const found = new Set(roots);
  for (const one of found) for (const child of children.get(one.pid) ?? []) found.add(child);
  return [...found];
}

function* lineage(byPid: Map<number, Process>, from: Process | undefined): Generator<Process> {
  for (let one = from; one; one = byPid.get(one.parentPid)) yield one;
}
