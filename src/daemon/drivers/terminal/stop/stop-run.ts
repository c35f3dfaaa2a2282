import { setTimeout as sleep } from 'node:timers/promises';
import { resumeCommand } from '../../../../contract/resume-command.ts';
import type { Stop, StopReceipt } from '../../../../contract/sessions.ts';
import { endProcesses, signalProcess } from '../../../processes/end-processes.ts';
import { isAlive } from '../../../processes/process-table.ts';
import type { Process } from '../../../processes/read-processes.ts';
import { isHeadless } from '../../../sessions/entrypoint.ts';
import { MAIN } from '../../../sessions/session.ts';
import type { Refusal, StopLadder, StopOptions } from '../../driver.ts';
import { exitsAfterTurn } from './exits-after-turn.ts';
import type { SessionClient } from './find-clients.ts';
import { isIdle, isIdleByHooks, workingSince } from './is-idle.ts';
import type { TurnEnd } from './turn-end.ts';
import { type FoundProcesses, type WatchedOptions, WatchedProcesses } from './watched-processes.ts';

/** Lets a tool that is about to finish do so: a commit, a file being written. */
const GRACE_MS = 300;
/** Extra time after something that ends a turn. A client rereads its settings after 1.1 s. */
const EFFECT_MS = 2000;
/** SIGTERM lets the client restore its terminal and exit cleanly. That takes a tenth of a second, up to two under load. */
const LEAVE_MS = 2500;
/** Time between SIGTERM and SIGKILL for a process that isn't a client. */
const TERM_MS = 400;
/** A killed process that still exists after this is stuck in the kernel. */
const KILL_MS = 2000;
const POLL_MS = 80;
/** Only a hook or a key press can change anything, and hooks wake us. */
const POLL_SELDOM_MS = 1000;
/** How long to wait for a session with neither a process nor events. */
const UNHEARD_MS = 60_000;
const UNHEARD = 'unheard';

export type StopRunOptions = StopOptions &
  WatchedOptions & {
    /** What a client needs before its turn can be ended. */
    turnEnd?: Pick<TurnEnd, 'begin' | 'end'> | undefined;
  };

/**
 * One stop of one session, step by step: the hooks, the tools, its process. The last step only happens if requested: no hook can reach a
 * terminal whose agent is thinking, and ending its process is more than ending its turn.
 */
export class StopRun implements StopLadder {
  readonly #options: StopRunOptions;
  readonly #watched: WatchedProcesses;
  readonly #steps: StopReceipt['steps'] = [];
  readonly #killed = new Set<number>();
  /** Actors that our answers have stopped. */
  readonly #refused = new Set<string>();
  readonly #endDetached: Set<string>;
  readonly #abort = new AbortController();
  readonly #since: number;
  readonly #begun = performance.now();
  #effectAt = 0;
  #lastStatus = '';
  #kill: boolean;
  #ifUnreached: Stop['ifUnreached'];
  /** Its turn must not end through a hook: it would look like a success. */
  #isOneShot: boolean;
  #isUnreached: boolean;
  #isSettled = false;
  #toldToEnd = false;
  #triedTools = false;
  #cannotEndTools = false;
  #wake = new AbortController();

  constructor(options: StopRunOptions) {
    this.#options = options;
    this.#kill = options.kill;
    this.#ifUnreached = options.ifUnreached;
    this.#isOneShot = isHeadless(options.session()?.entrypoint);
    this.#isUnreached = options.isUnreached ?? false;
    this.#endDetached = new Set(options.endDetached);
    this.#watched = new WatchedProcesses(options);
    this.#since = workingSince(options.session());
  }

  /** An actor is refused while the session is stopping. */
  refuse(agentId: string = MAIN): Refusal {
    this.#refused.add(agentId);
    this.#effect();
    return { message: this.#options.message, endsTurn: !this.#isOneShot };
  }

  /** End its process from now on. False: this run is already over. */
  escalate({ endDetached }: { endDetached: string[] }): boolean {
    if (this.#isSettled) return false;
    this.#kill = true;
    for (const id of endDetached) this.#endDetached.add(id);
    this.wake();
    return true;
  }

  /** End its process if no hook arrives in time. */
  endIfUnreached(): void {
    this.#ifUnreached = 'end';
    if (this.#isUnreached) this.#kill = true;
    this.wake();
  }

  /** The session sent something: check now. */
  wake(): void {
    this.#wake.abort();
  }

  /** We are shutting down; the next daemon continues. */
  abort(): void {
    this.#abort.abort();
    this.wake();
  }

  async run(): Promise<StopReceipt> {
    const { clients, tools } = await this.#check();
    if (clients.length > 0) this.#isOneShot = clients.every(exitsAfterTurn);
    const isOver = this.#options.session()?.endedAt !== null && clients.length === 0;
    if (isOver && tools.length === 0) this.#note('ended', 'It had already ended.');
    else if (!this.#kill || clients.length === 0) await this.#throughHooks();
    const outcome = await this.#untilRest().finally(() => this.#options.turnEnd?.end(this.#options.sessionId));
    if (outcome === UNHEARD) this.#note(UNHEARD, 'If it shows up again without a new prompt, its calls are refused.');
    if (outcome === 'unyielding' || (this.#kill && outcome === 'rest')) await this.#endClients();
    this.#isSettled = true;
    const isGone = this.#watched.hasMet && (await this.#check()).clients.length === 0;
    // Its hooks and MCP servers end with it. If it lives on, they are none of our business.
    await (isGone ? this.#end('descendants') : this.#endTools());
    if (this.#kill) await this.#endChosenDetached();
    return this.#receipt();
  }

  async #throughHooks(): Promise<void> {
    const isHeard = this.#options.session()?.lastHeardAt !== null;
    this.#note('hooks', isHeard ? 'Refusing its tools, permissions and prompts.' : 'No hook has ever arrived from it.');
    // It would continue with the answer and might finish before it is told to exit. Its pending requests are canceled with it.
    if (this.#isOneShot) return;
    const held = await this.#options.cancelHeld(this.#options.message);
    if (held === 0) return;
    this.#note('approvals', `Denied pending requests: ${held}.`);
    this.#effect();
  }

  /** `unyielding`: only ending its process works, and that was requested. */
  async #untilRest(): Promise<'rest' | 'gone' | 'unyielding' | typeof UNHEARD> {
    for (;;) {
      const found = await this.#check();
      this.#abort.signal.throwIfAborted();
      const hasClient = found.clients.length > 0;
      const hasTools = found.tools.length > 0 && !this.#cannotEndTools;
      const isLate = this.#isUnreached || this.#elapsed() > this.#deadline();
      if (!hasTools && this.#isGone(found)) return 'gone';
      if (hasClient && this.#mustEnd(found)) return 'unyielding';
      if (!hasTools && this.#rests(found)) return 'rest';
      if (!hasTools && !hasClient && this.#isSilent()) return UNHEARD;
      if (!this.#kill && !this.#isOneShot) this.#options.turnEnd?.begin(this.#options.sessionId);
      if (hasClient && isLate && !this.#isUnreached) {
        if (this.#ifUnreached === 'end') return 'unyielding';
        this.#giveWord(found);
      }
      // On a slow machine, the tools still get their grace period.
      if (hasTools && this.#elapsed() >= GRACE_MS && !(isLate && this.#triedTools)) await this.#endTools();
      else await this.#pause(!this.#isUnreached && (hasClient || hasTools) ? POLL_MS : POLL_SELDOM_MS);
    }
  }

  /** `claude -p` exits with its turn. If a signal ends it, its caller sees a failure. */
  #mustEnd({ clients, tools }: FoundProcesses): boolean {
    this.#isOneShot = clients.every(exitsAfterTurn);
    return this.#kill || (this.#isOneShot && (tools.length === 0 || this.#elapsed() >= GRACE_MS));
  }

  /** It is unknown whether it is thinking or hanging. */
  #giveWord({ clients }: FoundProcesses): void {
    this.#isUnreached = true;
    const seconds = Math.round(this.#options.waitMs / 1000);
    const isStopped = clients.some(({ process }) => process.isStopped);
    const doing = isStopped
      ? 'its process is suspended'
      : "it is thinking, and can't be reached before its next tool call";
    const why = `No hook arrived within ${seconds} s: ${doing}.`;
    this.#note('unreached', `${why} Its process was left running.`);
    this.#options.onUnreached({ since: this.#options.now(), why, resume: this.#resume() });
  }

  #isGone({ clients }: FoundProcesses): boolean {
    if (clients.length > 0) return false;
    const session = this.#options.session();
    return this.#watched.hasMet || !session || session.endedAt !== null;
  }

  #isSilent(): boolean {
    const { session, now, unheardMs = UNHEARD_MS } = this.#options;
    const heardAt = session()?.lastHeardAt ?? 0;
    return this.#elapsed() >= unheardMs && now() - heardAt >= unheardMs;
  }

  #rests({ clients }: FoundProcesses): boolean {
    const session = this.#options.session();
    if (clients.length === 0) return session !== undefined && isIdleByHooks(session, this.#refused);
    const now = this.#options.now();
    return clients.every(({ file }) => {
      const isSilent = file?.statusUpdatedAt === undefined;
      // A menu the user opened isn't a turn.
      const isInMenu = file?.status === 'waiting' && file.waitingFor === 'dialog open';
      if (!isSilent && !isInMenu) return isIdle(file, { since: this.#since, now });
      // One that has ended but still exists is about to exit.
      return session !== undefined && session.endedAt === null && isIdleByHooks(session, this.#refused);
    });
  }

  async #endTools(): Promise<void> {
    this.#triedTools = true;
    await this.#end('tools');
  }

  async #end(step: 'tools' | 'descendants'): Promise<void> {
    const { ended, left } = await endProcesses(() => this.#watched[step](), { termMs: TERM_MS, killMs: KILL_MS });
    for (const pid of ended) this.#killed.add(pid);
    if (left.length > 0) this.#cannotEndTools = true;
    if (ended.length > 0) {
      const what = step === 'tools' ? "Ended its tools' processes" : 'Ended its tools, hooks and servers';
      this.#note(step, `${what}: ${pidList(ended)}.`);
      this.#effect();
    }
  }

  /** Those the operator saw and selected, if they are still the same. */
  async #endChosenDetached(): Promise<void> {
    if (this.#endDetached.size === 0) return;
    const known = new Map<number, string>();
    const check = async () => {
      const { table, trees } = await this.#watched.detached();
      const chosen = trees.filter(({ description }) => this.#endDetached.has(description.id));
      for (const { pid, start } of chosen.flatMap(({ members }) => members)) known.set(pid, start);
      // One whose parent we ended has a new parent by now.
      return { table, victims: table.filter(({ pid, start }) => known.get(pid) === start) };
    };
    const { ended, left } = await endProcesses(check, { termMs: TERM_MS, killMs: KILL_MS });
    for (const pid of ended) this.#killed.add(pid);
    if (ended.length > 0) this.#note('detached', `Ended detached processes as requested: ${pidList(ended)}.`);
    if (left.length > 0) this.#note('detached', `Couldn't end: ${pidList(left)}.`);
  }

  async #endClients(): Promise<void> {
    const { clients } = await this.#check();
    this.#toldToEnd = true;
    // Look them up now: once it is gone, they have a different parent.
    await this.#watched.descendants();
    // At the same time: an exiting client waits for its tools.
    const endingTools = this.#endTools();
    for (const client of clients) await this.#tellToLeave(client);
    const leaveBy = this.#elapsed() + LEAVE_MS;
    await this.#untilDead(clients, leaveBy);
    for (const { process } of clients) {
      if (!(await isAlive(process))) continue;
      await signalProcess(process, 'SIGKILL');
      this.#note('kill', `It didn't exit, so process ${process.pid} got SIGKILL.`);
    }
    await this.#untilDead(clients, this.#elapsed() + KILL_MS);
    await endingTools;
  }

  async #tellToLeave(client: SessionClient): Promise<void> {
    const { process } = client;
    const isTold = await signalProcess(process, 'SIGTERM');
    // A stopped process receives it only once it continues.
    if (process.isStopped) await signalProcess(process, 'SIGCONT');
    if (!isTold) return this.#note('signal', `Process ${process.pid} couldn't be signaled.`);
    const isOneShot = !this.#kill && exitsAfterTurn(client);
    const why = isOneShot ? ' A headless run ends with its turn; this way its caller sees a failure.' : '';
    this.#note('signal', `Sent SIGTERM to process ${process.pid}.${why}`);
  }

  async #untilDead(clients: SessionClient[], deadline: number): Promise<void> {
    const isAnyAlive = async () => (await Promise.all(clients.map(({ process }) => isAlive(process)))).some(Boolean);
    while ((await isAnyAlive()) && this.#elapsed() < deadline) await sleep(POLL_MS / 2);
  }

  async #receipt(): Promise<StopReceipt> {
    const { clients, tools } = await this.#check();
    const session = this.#options.session();
    const processEnded = clients.length === 0 && (this.#watched.hasMet || !session || session.endedAt !== null);
    const mustBeGone = this.#watched.hasMet && (processEnded || this.#toldToEnd);
    const below: Process[] = mustBeGone ? (await this.#watched.descendants()).victims : tools;
    const { trees } = await this.#watched.detached();
    const unended = trees.filter(({ description }) => this.#kill && this.#endDetached.has(description.id));
    const left = [
      ...(this.#toldToEnd ? clients.map(({ process }) => process) : []),
      ...below,
      ...unended.flatMap(({ members }) => members),
    ];
    const leftPids = left.map(({ pid }) => pid);
    const detached = trees.filter((tree) => !unended.includes(tree)).map(({ description }) => description);
    if (detached.length > 0) this.#note('left', `Left running (detached): ${pidList(detached.map(({ pid }) => pid))}.`);
    const isSilent = this.#steps.some(({ step }) => step === UNHEARD);
    this.#note('verified', verdict({ processEnded, leftPids, isKnown: this.#watched.hasMet, isSilent }));
    return {
      steps: this.#steps,
      killedPids: [...this.#killed].sort((a, b) => a - b),
      processEnded,
      leftPids,
      detached,
      resume: processEnded ? this.#resume() : null,
      exitCode: 130,
    };
  }

  #resume(): string {
    const { session, sessionId } = this.#options;
    const { startedIn = null, cwd = null } = session() ?? {};
    return resumeCommand({ id: sessionId, cwd: startedIn ?? cwd });
  }

  async #check(): Promise<FoundProcesses> {
    const found = await this.#watched.check();
    const status = found.clients.map(({ file }) => file?.status).join();
    if (status !== this.#lastStatus && status.includes('idle')) this.#effect();
    this.#lastStatus = status;
    return found;
  }

  #note(step: string, detail: string): void {
    this.#steps.push({ step, at: this.#options.now(), detail });
  }

  /** Something happened that may end the turn. */
  #effect(): void {
    this.#effectAt = this.#elapsed();
    this.wake();
  }

  #deadline(): number {
    const { waitMs } = this.#options;
    return Math.min(Math.max(waitMs, this.#effectAt + EFFECT_MS), waitMs + EFFECT_MS);
  }

  #elapsed(): number {
    return performance.now() - this.#begun;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#wake.signal }).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
      this.#wake = new AbortController();
    });
  }
}

const pidList = (pids: number[]): string => `process ${pids.join(', ')}`;

function verdict({
  processEnded,
  leftPids,
  isKnown,
  isSilent,
}: {
  processEnded: boolean;
  leftPids: number[];
  isKnown: boolean;
  isSilent: boolean;
}): string {
  if (leftPids.length > 0) return `Still running: ${pidList(leftPids)}.`;
  if (isSilent) return 'Nothing more was heard from it, and none of its processes are known.';
  if (processEnded) return isKnown ? 'Its process has ended.' : 'None of its processes are running.';
  return isKnown
    ? 'Its turn is over, no tools are running, and it is at its prompt.'
    : 'Its turn is over according to its hooks. None of its processes are known.';
}
