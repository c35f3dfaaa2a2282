import type { SessionProcessList } from '../../../contract/control.ts';
import type { Prompt } from '../../../contract/prompts.ts';
import { readProcesses } from '../../processes/read-processes.ts';
import { sharedReading } from '../../processes/shared-reading.ts';
import type { LiveModel } from '../../sessions/live-model.ts';
import type { DriverView } from '../../sessions/live-session.ts';
import type { Session } from '../../sessions/session.ts';
import type { Driver, StopLadder, StopOptions } from '../driver.ts';
import { whyNoPrompts } from './prompts/no-prompts.ts';
import { type Waiter, Waiters } from './prompts/waiters.ts';
import { StopRun } from './stop/stop-run.ts';
import type { TurnEnd } from './stop/turn-end.ts';
import { WatchedProcesses } from './stop/watched-processes.ts';

/** Claude Code in a terminal, reached through its hooks and its process. */
export class TerminalDriver implements Driver {
  readonly kind = 'terminal';
  readonly #live: LiveModel;
  readonly #configDir: string;
  readonly #waiters = new Waiters();
  readonly #readProcesses = sharedReading(readProcesses);

  readonly #turnEnd: TurnEnd | undefined;

  constructor({ live, configDir, turnEnd }: { live: LiveModel; configDir: string; turnEnd?: TurnEnd }) {
    this.#live = live;
    this.#configDir = configDir;
    this.#turnEnd = turnEnd;
  }

  readonly describe = describeTerminal;

  stop(options: StopOptions): StopLadder {
    return new StopRun({ ...options, ...this.#lookAt(options.sessionId), turnEnd: this.#turnEnd });
  }

  async processes(sessionId: string): Promise<SessionProcessList> {
    const watched = new WatchedProcesses(this.#lookAt(sessionId));
    const { clients, tools } = await watched.check();
    const { victims } = await watched.descendants();
    const { trees } = await watched.detached();
    const toolPids = tools.map(({ pid }) => pid);
    return {
      pids: clients.map(({ process }) => process.pid),
      toolPids,
      serverPids: victims.map(({ pid }) => pid).filter((pid) => !toolPids.includes(pid)),
      detached: trees.map(({ description }) => description),
    };
  }

  #lookAt(sessionId: string) {
    const session = () => this.#live.get(sessionId);
    return { sessionId, session, configDir: this.#configDir, readProcesses: this.#readProcesses };
  }

  /** A hook waits in the session's background and can wake it. */
  hold(sessionId: string, waiter: Waiter): void {
    this.#waiters.hold(sessionId, waiter);
  }

  isListening(sessionId: string): boolean {
    return this.#waiters.has(sessionId);
  }

  async deliver({ sessionId, text }: Prompt): Promise<boolean> {
    return (await this.#waiters.take(sessionId)?.wake(text)) ?? false;
  }

  stopListening(sessionId?: string): void {
    if (sessionId === undefined) this.#waiters.releaseAll();
    else this.#waiters.release(sessionId);
  }
}

export function describeTerminal(session: Session): DriverView {
  const noPrompts = whyNoPrompts(session);
  const isRunning = session.endedAt === null;
  const capabilities = {
    stop: isRunning,
    endProcess: isRunning,
    prompt: isRunning && noPrompts === null,
    resume: session.transcriptPath !== null,
    settings: false,
    shells: false,
    rewind: false,
  };
  return { kind: 'terminal', capabilities, noPrompts };
}
