import { setTimeout as sleep } from 'node:timers/promises';
import type { Stop, StopReceipt } from '../../contract/sessions.ts';
import { endProcesses, signalProcess } from '../processes/end-processes.ts';
import { isAlive } from '../processes/process-table.ts';
import { MAIN } from '../sessions/session.ts';
import { isIdle, restsByHooks, workingSince } from './at-rest.ts';
import type { Client } from './find-clients.ts';
import { Lookout, type LookoutOptions, type Sight } from './lookout.ts';

/** A tool that is about to finish may: a commit, a file being written. */
const GRACE_MS = 300;
/** A turn that the hooks have not ended by then is ended with its process… */
const HOOKS_MS = 1000;
/** …later where something has just happened that ends it, but not much later. */
const EFFECT_MS = 800;
const HOOKS_AT_MOST_MS = 2000;
/** SIGTERM lets the client restore its terminal and say goodbye; it takes a tenth of a second, up to two under load. */
const LEAVE_BY_MS = 2700;
const LEAVE_MS = 800;
const KILL_LEAVE_MS = 1500;
/** What a process gets between SIGTERM and SIGKILL, if it is not a client. */
const TERM_MS = 400;
/** A killed process that is still there after this is stuck in the kernel. */
const KILL_MS = 2000;
const LOOK_MS = 80;
/** A session without a process is known by its hooks alone, and they wake us. */
const LOOK_SELDOM_MS = 1000;
/** One that has neither a process nor anything to say is not waited for longer. */
const UNHEARD_MS = 60_000;
const UNHEARD = 'unheard';

/** It was given up on: whether it still works somewhere is not known. */
export function isUnheard({ state, receipt }: Stop): boolean {
  return state === 'stopped' && receipt?.steps.some(({ step }) => step === UNHEARD) === true;
}

export interface StopRunOptions extends LookoutOptions {
  /** Refuses what the session waits with; how much that was. */
  cancelHeld: (message: string) => Promise<number>;
  message: string;
  kill: boolean;
  now: () => number;
  unheardMs?: number;
}

/** One stop of one session, up the ladder: the hooks, the tools, its process. */
export class StopRun {
  readonly #options: StopRunOptions;
  readonly #lookout: Lookout;
  readonly #steps: StopReceipt['steps'] = [];
  readonly #killed = new Set<number>();
  /** Actors that an answer of ours brought to rest. */
  readonly #refused = new Set<string>();
  readonly #abort = new AbortController();
  readonly #since: number;
  readonly #begun = performance.now();
  #effectAt = 0;
  #lastStatus = '';
  #kill: boolean;
  #isSettled = false;
  #toldToEnd = false;
  #triedTools = false;
  #cannotEndTools = false;
  #wake = new AbortController();

  constructor(options: StopRunOptions) {
    this.#options = options;
    this.#kill = options.kill;
    this.#lookout = new Lookout(options);
    this.#since = workingSince(options.session());
  }

  /** An actor is refused while the session stops, with these words. */
  refuse(agentId: string = MAIN): string {
    this.#refused.add(agentId);
    this.#effect();
    return this.#options.message;
  }

  /** From now on its process ends in any case. False: this run has come to its end already. */
  escalate(): boolean {
    if (this.#isSettled) return false;
    this.#kill = true;
    this.wake();
    return true;
  }

  /** Something was heard of the session: look at once. */
  wake(): void {
    this.#wake.abort();
  }

  /** We are about to leave; the next daemon goes on. */
  abort(): void {
    this.#abort.abort();
    this.wake();
  }

  async run(): Promise<StopReceipt> {
    const { clients } = await this.#look();
    const mayListen = !this.#kill || clients.length === 0;
    if (mayListen && this.#options.session()?.endedAt === null) await this.#throughHooks();
    const outcome = await this.#untilRest();
    if (outcome === UNHEARD) this.#note(UNHEARD, 'If it speaks again before it is given a new prompt, it is refused.');
    if (outcome === 'unyielding' || (this.#kill && outcome === 'rest')) await this.#endClients();
    this.#isSettled = true;
    const isGone = this.#lookout.hasMet && (await this.#look()).clients.length === 0;
    // its hooks and MCP servers go with it; where it lives on, or had ended before, they are none of our business
    await (isGone ? this.#end('offspring') : this.#endTools());
    return this.#receipt();
  }

  async #throughHooks(): Promise<void> {
    const isHeard = this.#options.session()?.lastHookAt !== null;
    this.#note('hooks', isHeard ? 'Tools, permissions and prompts are refused.' : 'No hook of it has ever come.');
    const held = await this.#options.cancelHeld(this.#options.message);
    if (held === 0) return;
    this.#note('approvals', `Refused what it waited for: ${held}.`);
    this.#effect();
  }

  /** `unyielding`: nothing but the end of its process will do. */
  async #untilRest(): Promise<'rest' | 'gone' | 'unyielding' | typeof UNHEARD> {
    for (;;) {
      const sight = await this.#look();
      this.#abort.signal.throwIfAborted();
      const hasClient = sight.clients.length > 0;
      const hasTools = sight.tools.length > 0 && !this.#cannotEndTools;
      const isLate = this.#elapsed() > this.#deadline();
      if (!hasTools && this.#isGone(sight)) return 'gone';
      if (hasClient && this.#kill) return 'unyielding';
      if (!hasTools && this.#rests(sight)) return 'rest';
      if (!hasTools && !hasClient && this.#isSilent()) return UNHEARD;
      // on a machine that is slow to look the tools get their turn all the same
      if (hasTools && this.#elapsed() >= GRACE_MS && !(isLate && this.#triedTools)) await this.#endTools();
      else if (hasClient && isLate) return 'unyielding';
      else await this.#pause(hasClient || hasTools ? LOOK_MS : LOOK_SELDOM_MS);
    }
  }

  #isGone({ clients }: Sight): boolean {
    if (clients.length > 0) return false;
    const session = this.#options.session();
    return this.#lookout.hasMet || !session || session.endedAt !== null;
  }

  #isSilent(): boolean {
    const { session, now, unheardMs = UNHEARD_MS } = this.#options;
    const heardAt = session()?.lastHookAt ?? 0;
    return this.#elapsed() >= unheardMs && now() - heardAt >= unheardMs;
  }

  #rests({ clients }: Sight): boolean {
    const session = this.#options.session();
    if (clients.length === 0) return session !== undefined && restsByHooks(session, this.#refused);
    const now = this.#options.now();
    return clients.every(({ file }) => {
      const isSilent = file?.statusUpdatedAt === undefined;
      // a menu that its person has opened is no turn
      const isInMenu = file?.status === 'waiting' && file.waitingFor === 'dialog open';
      if (!isSilent && !isInMenu) return isIdle(file, { since: this.#since, now });
      // one that has ended and is still there is on its way out
      return session !== undefined && session.endedAt === null && restsByHooks(session, this.#refused);
    });
  }

  async #endTools(): Promise<void> {
    this.#triedTools = true;
    await this.#end('tools');
  }

  async #end(step: 'tools' | 'offspring'): Promise<void> {
    const { ended, left } = await endProcesses(() => this.#lookout[step](), { termMs: TERM_MS, killMs: KILL_MS });
    for (const pid of ended) this.#killed.add(pid);
    if (left.length > 0) this.#cannotEndTools = true;
    if (ended.length > 0) {
      const what = step === 'tools' ? 'Tool processes ended' : 'What it had started, ended';
      this.#note(step, `${what}: ${ended.join(', ')}.`);
      this.#effect();
    }
  }

  async #endClients(): Promise<void> {
    const { clients } = await this.#look();
    this.#toldToEnd = true;
    // so that they are known: once it is gone, they have another parent
    await this.#lookout.offspring();
    // at the same time: a client that leaves waits for its tools
    const endingTools = this.#endTools();
    for (const { process } of clients) {
      const isTold = await signalProcess(process, 'SIGTERM');
      // a stopped process hears it only when it is continued
      if (process.isStopped) await signalProcess(process, 'SIGCONT');
      this.#note('signal', isTold ? `SIGTERM to process ${process.pid}.` : `Process ${process.pid} took no signal.`);
    }
    const told = this.#elapsed();
    const leave = () => told + (this.#kill ? KILL_LEAVE_MS : Math.max(LEAVE_MS, LEAVE_BY_MS - told));
    await this.#untilDead(clients, leave);
    for (const { process } of clients) {
      if (!(await isAlive(process))) continue;
      await signalProcess(process, 'SIGKILL');
      this.#note('kill', `SIGKILL to process ${process.pid}.`);
    }
    const giveUp = this.#elapsed() + KILL_MS;
    await this.#untilDead(clients, () => giveUp);
    await endingTools;
  }

  async #untilDead(clients: Client[], deadline: () => number): Promise<void> {
    const isAnyAlive = async () => (await Promise.all(clients.map(({ process }) => isAlive(process)))).some(Boolean);
    while ((await isAnyAlive()) && this.#elapsed() < deadline()) await sleep(LOOK_MS / 2);
  }

  async #receipt(): Promise<StopReceipt> {
    const { clients, tools } = await this.#look();
    const session = this.#options.session();
    const processEnded = clients.length === 0 && (this.#lookout.hasMet || !session || session.endedAt !== null);
    const mustBeGone = this.#lookout.hasMet && (processEnded || this.#toldToEnd);
    const below = mustBeGone ? (await this.#lookout.offspring()).victims : tools;
    const left = [...(this.#toldToEnd ? clients.map(({ process }) => process) : []), ...below];
    const leftPids = left.map(({ pid }) => pid);
    const isSilent = this.#steps.some(({ step }) => step === UNHEARD);
    this.#note('verified', verdict({ processEnded, leftPids, isKnown: this.#lookout.hasMet, isSilent }));
    const killedPids = [...this.#killed].sort((a, b) => a - b);
    return { steps: this.#steps, killedPids, processEnded, leftPids, exitCode: 130 };
  }

  async #look(): Promise<Sight> {
    const sight = await this.#lookout.look();
    const status = sight.clients.map(({ file }) => file?.status).join();
    if (status !== this.#lastStatus && status.includes('idle')) this.#effect();
    this.#lastStatus = status;
    return sight;
  }

  #note(step: string, detail: string): void {
    this.#steps.push({ step, at: this.#options.now(), detail });
  }

  /** Something has happened that may end the turn. */
  #effect(): void {
    this.#effectAt = this.#elapsed();
    this.wake();
  }

  #deadline(): number {
    return Math.min(Math.max(HOOKS_MS, this.#effectAt + EFFECT_MS), HOOKS_AT_MOST_MS);
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
  if (leftPids.length > 0) return `Still there: ${leftPids.join(', ')}.`;
  if (isSilent) return 'Nothing more was heard of it, and no process of it is known here.';
  if (processEnded) return 'Its process has ended and left nothing behind.';
  return isKnown
    ? 'Its turn is over, no tool runs, and it waits at its prompt.'
    : 'Its turn is over, by its hooks: no process of it is known here.';
}
