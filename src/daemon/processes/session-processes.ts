import { COMMAND_SENTINEL } from './hook-mark.ts';
import type { Process } from './read-processes.ts';

/**
 * What a session started, looked up in successive process tables. A process belongs to the session while it descends from the session's own
 * process, or was seen to. The client's mark in the environment proves nothing: a tmux server inherits it, and so does every window a
 * person opens in it.
 */
export class SessionProcesses {
  readonly #sessionId: string;
  readonly #clients = new Map<number, Process>();
  /** Seen below a client, with their start: a process whose parent we end is still ours. */
  readonly #tools = new Map<number, string>();
  readonly #descendants = new Map<number, string>();
  readonly #toolSessions = new Map<number, ToolSession>();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** A process of the session itself. More than one if it was resumed in parallel. */
  addClient(client: Process): void {
    this.#clients.set(client.pid, client);
  }

  /** It switched to another session, so what it starts is no longer ours. */
  removeClient(pid: number): void {
    this.#clients.delete(pid);
  }

  /** Its tools' processes. */
  tools(table: Process[]): Process[] {
    const starts = startsOf(table);
    const children = table.filter((one) => this.#isChild(one, starts));
    const below = new Set(withDescendants(table, children));
    const isTool = (one: Process) => {
      const { mark, command } = one;
      if (mark?.role === 'harness' || command.includes(COMMAND_SENTINEL)) return false;
      if (this.#tools.get(one.pid) === one.start || this.#isForkOfTool(one, starts)) return true;
      if (mark?.role === 'agent' && mark.sessionId === this.#sessionId) return below.has(one);
      // An MCP server stays with the client: in its group, in the session of the user's shell.
      return children.includes(one) && !this.#isAmongClients(one);
    };
    const tools = this.#spare(table, withDescendants(table, table.filter(isTool)));
    for (const { pid, start } of tools) this.#tools.set(pid, start);
    this.#noteToolSessions(table, tools);
    return tools;
  }

  /** Everything it started that still descends from it: tools, hooks, MCP servers. */
  descendants(table: Process[]): Process[] {
    const starts = startsOf(table);
    const isKnown = (one: Process) => this.#isChild(one, starts) || this.#descendants.get(one.pid) === one.start;
    const roots = [...table.filter(isKnown), ...this.tools(table)];
    const found = this.#spare(table, withDescendants(table, roots));
    for (const { pid, start } of found) this.#descendants.set(pid, start);
    return found;
  }

  /** Detached processes with its mark: a server, a tmux, or what a person runs inside that. */
  detached(table: Process[]): Process[] {
    const own = new Set(this.descendants(table));
    const isMarked = ({ mark, command }: Process) =>
      mark?.sessionId === this.#sessionId && !command.includes(COMMAND_SENTINEL);
    return this.#spare(
      table,
      table.filter((one) => isMarked(one) && !own.has(one)),
    );
  }

  /** A table isn't read in an instant: a client that dies meanwhile may be missing while its children are still there. */
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
   * A process forked by a tool just as the tool dies has no parent of ours in any table, but is in the tool's kernel session. One that was
   * there on its own before we looked was detached on purpose.
   */
  #isForkOfTool({ pid, start, kernelSession }: Process, starts: Map<number, string>): boolean {
    const session = this.#toolSessions.get(kernelSession);
    if (!session || session.detached.get(pid) === start) return false;
    // The id of a dead leader isn't reused while the session has members; a new leader means another session.
    const leader = starts.get(kernelSession);
    return leader === undefined || leader === session.leader;
  }

  #noteToolSessions(table: Process[], tools: Process[]): void {
    const isTool = new Set(tools);
    for (const one of tools) {
      const { kernelSession: id } = one;
      if (this.#toolSessions.has(id) || this.#isAmongClients(one)) continue;
      const members = table.filter(({ kernelSession }) => kernelSession === id);
      const detached = members.filter((member) => !isTool.has(member)).map(({ pid, start }) => [pid, start] as const);
      this.#toolSessions.set(id, { leader: startsOf(members).get(id), detached: new Map(detached) });
    }
  }

  /**
   * What must never be ended: the session's own processes (they are ended separately), their ancestors, above all the user's shell, and the
   * daemon, which a tool may have started, with its ancestors and what it runs for others.
   */
  #spare(table: Process[], processes: Process[]): Process[] {
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

interface ToolSession {
  /** When its leader started. undefined: it died before we looked. */
  leader: string | undefined;
  detached: Map<number, string>;
}

const startsOf = (table: Process[]) => new Map(table.map(({ pid, start }) => [pid, start]));

export function withDescendants(table: Process[], roots: Process[]): Process[] {
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

/** A pid reused while the table was read could form a loop. */
function lineage(byPid: Map<number, Process>, from: Process | undefined): Set<Process> {
  const found = new Set<Process>();
  for (let one = from; one && !found.has(one); one = byPid.get(one.parentPid)) found.add(one);
  return found;
}
