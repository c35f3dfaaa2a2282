import { COMMAND_SENTINEL } from '../hooks/own-hook.ts';
import type { Process } from './read-processes.ts';

/**
 * What a session has started, looked up in one process table after another. It remembers whom it saw: a process whose
 * parent has died belongs to nobody any more, and only Linux and newer clients mark theirs.
 */
export class SessionProcesses {
  readonly #sessionId: string;
  readonly #clients = new Map<number, Process>();
  /** Kernel sessions of tools, with the start of the process that leads each. */
  readonly #toolSessions = new Map<number, string | undefined>();
  readonly #seen = new Map<number, string>();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** A process of the session itself. More than one, if it was resumed beside itself. */
  addClient(client: Process): void {
    this.#clients.set(client.pid, client);
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
    const isTool = (one: Process) => {
      const { kernelSession, mark, command } = one;
      if (mark?.role === 'harness' || command.includes(COMMAND_SENTINEL)) return false;
      if (mark?.role === 'agent' && mark.sessionId === this.#sessionId) return true;
      // an MCP server stays where the client is: in its group, in the session of the person's shell
      return !this.#isAmongClients(one) && (isToolSession(kernelSession) || this.#isChild(one, starts));
    };
    const tools = this.#notOurs(table, withOffspring(table, table.filter(isTool)));
    for (const one of tools) {
      const { kernelSession: id } = one;
      if (!this.#toolSessions.has(id) && !this.#isAmongClients(one)) this.#toolSessions.set(id, starts.get(id));
    }
    return tools;
  }

  /** All that it started: tools, hooks, MCP servers. */
  offspring(table: Process[]): Process[] {
    const starts = new Map(table.map(({ pid, start }) => [pid, start]));
    const isKnown = (one: Process) =>
      this.#isChild(one, starts) || one.mark?.sessionId === this.#sessionId || this.#seen.get(one.pid) === one.start;
    const roots = [...table.filter(isKnown), ...this.tools(table)];
    const found = this.#notOurs(table, withOffspring(table, roots));
    for (const { pid, start } of found) this.#seen.set(pid, start);
    return found;
  }

  /** A table is not read in one instant: a client that dies meanwhile may be missing from it, its children not yet. */
  #isChild({ parentPid }: Process, starts: Map<number, string>): boolean {
    const client = this.#clients.get(parentPid);
    return client !== undefined && (starts.get(parentPid) ?? client.start) === client.start;
  }

  #isAmongClients({ groupId, kernelSession }: Process): boolean {
    for (const client of this.#clients.values())
      if (groupId === client.groupId || kernelSession === client.kernelSession) return true;
    return false;
  }

  /**
   * What must never be ended: the session's own processes here (they are ended as such) and whoever started them, the
   * person's shell above all. And the daemon, which a tool may have started: it, what runs it and what it runs for others.
   */
  #notOurs(table: Process[], processes: Process[]): Process[] {
    const byPid = new Map(table.map((one) => [one.pid, one]));
    const spared = lineage(byPid, byPid.get(process.pid));
    for (const { pid } of this.#clients.values()) for (const one of lineage(byPid, byPid.get(pid))) spared.add(one);
    return processes.filter((one) => {
      if (one.pid <= 1 || spared.has(one)) return false;
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

/** A pid that was given anew while the table was read could make a circle of it. */
function lineage(byPid: Map<number, Process>, from: Process | undefined): Set<Process> {
  const found = new Set<Process>();
  for (let one = from; one && !found.has(one); one = byPid.get(one.parentPid)) found.add(one);
  return found;
}
