import { setTimeout as sleep } from 'node:timers/promises';
import { resumeCommand } from '../../../contract/resume-command.ts';
import type { Stop, StopReceipt } from '../../../contract/sessions.ts';
import { endProcesses } from '../../processes/end-processes.ts';
import { readProcesses } from '../../processes/read-processes.ts';
import { SessionProcesses, withDescendants } from '../../processes/session-processes.ts';
import type { Session } from '../../sessions/session.ts';
import type { Refusal, StopLadder, StopOptions } from '../driver.ts';
import type { Runner, Runners } from './runners.ts';

/** An interrupt takes milliseconds, or a second under load. */
const INTERRUPT_MS = 5000;
/** The client exits within a tenth of a second, and its runner then delivers its remaining events. */
const LEAVE_MS = 6000;
const TERM_MS = 1000;
const TOOL_TERM_MS = 400;
const POLL_MS = 50;

export interface RunnerStopOptions extends StopOptions {
  runners: Runners;
  session: () => Session | undefined;
}

/** Stops one hosted session: interrupts its turn and, on request, ends its processes. True when nothing is left. */
export class RunnerStop implements StopLadder {
  readonly #options: RunnerStopOptions;
  readonly #runner: Runner | undefined;
  readonly #steps: StopReceipt['steps'] = [];
  readonly #killed = new Set<number>();
  readonly #abort = new AbortController();
  readonly #seen = new Map<number, string>();
  #kill: boolean;
  #ifUnreached: Stop['ifUnreached'];
  #isSettled = false;
  #isUnreached: boolean;

  constructor(options: RunnerStopOptions) {
    this.#options = options;
    this.#runner = options.runners.of(options.sessionId);
    this.#kill = options.kill;
    this.#ifUnreached = options.ifUnreached;
    this.#isUnreached = options.isUnreached ?? false;
  }

  refuse(): Refusal {
    return { message: this.#options.message, endsTurn: true };
  }

  escalate(): boolean {
    if (this.#isSettled) return false;
    this.#kill = true;
    return true;
  }

  endIfUnreached(): void {
    this.#ifUnreached = 'end';
    if (this.#isUnreached) this.#kill = true;
  }

  wake(): void {
    // polling is frequent enough
  }

  abort(): void {
    this.#abort.abort();
  }

  async run(): Promise<StopReceipt> {
    if (!this.#runner) {
      this.#note('ended', 'It had already ended.');
      return this.#receipt();
    }
    this.#options.runners.refresh(this.#runner);
    const held = await this.#options.cancelHeld(this.#options.message);
    if (held > 0) this.#note('approvals', `Denied pending requests: ${held}.`);
    if (!this.#kill) await this.#interrupt(this.#runner);
    if (this.#kill) await this.#end(this.#runner);
    this.#isSettled = true;
    return this.#receipt();
  }

  async #interrupt(runner: Runner): Promise<void> {
    const { runners, waitMs, now } = this.#options;
    const until = now() + Math.max(waitMs, INTERRUPT_MS);
    let isTold = false;
    while (!this.#kill && !this.#rests()) {
      this.#abort.signal.throwIfAborted();
      if (runner.send && !isTold) {
        isTold = true;
        const told = runners.command(runner, { kind: 'interrupt' }, { timeoutMs: INTERRUPT_MS });
        await told.then(
          () => this.#note('interrupt', 'Its turn was interrupted.'),
          (error: Error) => this.#note('interrupt', `It could not be interrupted: ${error.message}`),
        );
        continue;
      }
      if (now() > until && !this.#isUnreached) this.#giveWord(runner);
      await sleep(POLL_MS);
    }
    if (!this.#kill) await this.#endTools();
  }

  #giveWord(runner: Runner): void {
    this.#isUnreached = true;
    if (this.#ifUnreached === 'end') {
      this.#kill = true;
      return;
    }
    const why = runner.send ? "Its turn didn't end." : 'Its runner is not connected.';
    this.#note('unreached', `${why} Its process was left running.`);
    this.#options.onUnreached({ since: this.#options.now(), why, resume: this.#resume() });
  }

  #rests(): boolean {
    const session = this.#options.session();
    return !session || session.endedAt !== null || session.betweenTurns || this.#isGone();
  }

  #isGone(): boolean {
    return this.#options.runners.of(this.#options.sessionId) !== this.#runner;
  }

  /** Tool processes that still run after the turn has ended. */
  async #endTools(): Promise<void> {
    const tree = new SessionProcesses(this.#options.sessionId);
    const check = async () => {
      const table = await readProcesses();
      for (const client of table.filter((one) => this.#isClient(one))) tree.addClient(client);
      return { table, victims: tree.tools(table) };
    };
    const { ended } = await endProcesses(check, { termMs: TOOL_TERM_MS });
    for (const pid of ended) this.#killed.add(pid);
    if (ended.length > 0) this.#note('tools', `Ended its tools' processes: ${ended.join(', ')}.`);
  }

  async #end(runner: Runner): Promise<void> {
    const { runners } = this.#options;
    await this.#family();
    if (runner.send) {
      runners.tell(runner, { kind: 'shutdown', why: this.#options.message });
      this.#note('shutdown', 'Its runner was told to end.');
      for (const until = Date.now() + LEAVE_MS; Date.now() < until && (await this.#family()).length > 0; ) {
        this.#abort.signal.throwIfAborted();
        await sleep(POLL_MS);
      }
    }
    const { ended } = await endProcesses(
      async () => ({ table: await readProcesses(), victims: await this.#family() }),
      {
        termMs: TERM_MS,
      },
    );
    for (const pid of ended) this.#killed.add(pid);
    if (ended.length > 0) this.#note('kill', `Ended process ${ended.join(', ')}.`);
    // events still in transit must reach the session before it counts as stopped
    for (const until = Date.now() + LEAVE_MS; Date.now() < until && !this.#isGone(); ) await sleep(POLL_MS);
  }

  /** The runner, its client and everything they started, including orphaned processes. */
  async #family() {
    const table = await readProcesses();
    const roots = table.filter(
      (one) => this.#isClient(one) || this.#isRunner(one) || this.#seen.get(one.pid) === one.start,
    );
    const family = withDescendants(table, roots);
    for (const { pid, start } of family) this.#seen.set(pid, start);
    return family;
  }

  #isClient({ pid, start }: { pid: number; start: string }): boolean {
    return this.#runner?.processes?.clients.some((one) => one.pid === pid && one.start === start) ?? false;
  }

  #isRunner({ pid, start }: { pid: number; start: string }): boolean {
    const runner = this.#runner?.processes?.runner;
    return runner?.pid === pid && runner.start === start;
  }

  async #receipt(): Promise<StopReceipt> {
    const left = this.#kill ? (await this.#family()).map(({ pid }) => pid) : [];
    const processEnded = this.#runner === undefined || (await this.#family()).length === 0;
    const verdict = processEnded ? 'Its processes have ended.' : 'Its turn is over and no tools are running.';
    this.#note('verified', left.length > 0 ? `Still running: process ${left.join(', ')}.` : verdict);
    return {
      steps: this.#steps,
      killedPids: [...this.#killed].sort((a, b) => a - b),
      processEnded,
      leftPids: left,
      detached: [],
      resume: processEnded ? this.#resume() : null,
      exitCode: 130,
    };
  }

  #resume(): string {
    const { session, sessionId } = this.#options;
    const name = session()?.orchestration?.name;
    return name === undefined ? resumeCommand({ id: sessionId, cwd: session()?.cwd ?? null }) : `gctl resume ${name}`;
  }

  #note(step: string, detail: string): void {
    this.#steps.push({ step, at: this.#options.now(), detail });
  }
}
