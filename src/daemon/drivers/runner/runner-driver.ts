import type { SessionProcessList } from '../../../contract/control.ts';
import type { Prompt } from '../../../contract/prompts.ts';
import { readProcesses } from '../../processes/read-processes.ts';
import { SessionProcesses, withDescendants } from '../../processes/session-processes.ts';
import type { LiveModel } from '../../sessions/live-model.ts';
import type { DriverView } from '../../sessions/live-session.ts';
import type { Session } from '../../sessions/session.ts';
import type { Driver, StopLadder, StopOptions } from '../driver.ts';
import { RunnerStop } from './runner-stop.ts';
import type { Runners } from './runners.ts';

const DELIVER_MS = 10_000;

/** A session hosted by one of our own processes, controlled by commands to that process. */
export class RunnerDriver implements Driver {
  readonly kind = 'runner';
  readonly #runners: Runners;
  readonly #live: LiveModel;

  constructor({ runners, live }: { runners: Runners; live: LiveModel }) {
    this.#runners = runners;
    this.#live = live;
  }

  readonly describe = describeRunner;

  stop(options: StopOptions): StopLadder {
    return new RunnerStop({ ...options, runners: this.#runners, session: () => this.#live.get(options.sessionId) });
  }

  async processes(sessionId: string): Promise<SessionProcessList> {
    const runner = this.#runners.of(sessionId);
    const processes = runner && this.#runners.refresh(runner);
    if (!processes) return { pids: [], toolPids: [], serverPids: [], detached: [] };
    const table = await readProcesses();
    const isOne =
      (of: { pid: number; start: string }[]) =>
      ({ pid, start }: { pid: number; start: string }) =>
        of.some((one) => one.pid === pid && one.start === start);
    const clients = table.filter(isOne(processes.clients));
    const tree = new SessionProcesses(sessionId);
    for (const client of clients) tree.addClient(client);
    const own = [...table.filter(isOne([processes.runner])), ...clients].map(({ pid }) => pid);
    const toolPids = tree.tools(table).map(({ pid }) => pid);
    const below = withDescendants(table, clients).map(({ pid }) => pid);
    const serverPids = below.filter((pid) => !own.includes(pid) && !toolPids.includes(pid));
    return { pids: own, toolPids, serverPids, detached: [] };
  }

  isListening(sessionId: string): boolean {
    return this.#runners.of(sessionId)?.send !== undefined;
  }

  async deliver({ id, sessionId, text }: Prompt): Promise<boolean> {
    const runner = this.#runners.of(sessionId);
    if (!runner?.send) return false;
    try {
      // keeps its id, so that the runner recognizes a repeated delivery
      await this.#runners.command(runner, { id, kind: 'prompt', text }, { timeoutMs: DELIVER_MS });
      return true;
    } catch {
      return false;
    }
  }

  stopListening(): void {
    // a runner accepts prompts for as long as it lives
  }
}

export function describeRunner(session: Session): DriverView {
  const isRunning = session.endedAt === null;
  const driver = session.orchestration?.driver;
  const capabilities = {
    stop: isRunning,
    endProcess: isRunning,
    prompt: isRunning,
    resume: session.transcriptPath !== null,
    settings: isRunning,
    shells: isRunning && driver === 'native',
    rewind: driver === 'claude',
  };
  return { kind: 'runner', capabilities, noPrompts: null };
}
