import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { MAIN_ACTOR } from '../contract/main-actor.ts';
import { BUDGET_TOOL } from '../contract/orchestration.ts';
import { RUNNER_FILES } from '../contract/runner-names.ts';
import type { RunnerCommand, RunnerSpec } from '../contract/runners.ts';
import { BudgetGate } from './budget.ts';
import type { DriverHost, HostedAgent, StartAgent } from './driver.ts';
import type { ProcessesFile } from './processes-file.ts';
import { Spool } from './spool.ts';
import { Uplink } from './uplink.ts';

/** What the daemon has not taken by then it finds in the spool. */
const DRAIN_MS = 5000;
const NO_OPINION = { correlationId: '', decision: 'none', why: "The daemon isn't reachable." } as const;

type Command = Exclude<RunnerCommand, { kind: 'heartbeat' | 'verdict' }>;

export interface HostOptions {
  dir: string;
  spec: RunnerSpec;
  processes: ProcessesFile;
  startAgent: StartAgent;
  log: (text: string) => void;
}

/** Runs one session: the agent on one side, the daemon on the other, and neither waits for the other more than it must. */
export async function hostSession({ dir, spec, processes, startAgent, log }: HostOptions): Promise<void> {
  const { boot } = processes;
  const spool = new Spool(join(dir, RUNNER_FILES.spool));
  const ending = new AbortController();
  /** The daemon repeats a command that it has seen no outcome of. */
  const taken = new Set<string>(spec.promptId === null ? [] : [spec.promptId]);
  let agent: HostedAgent | undefined;
  let linger: NodeJS.Timeout | undefined;

  processes.save();

  const uplink = new Uplink({
    spec,
    boot,
    spool,
    log,
    onCommand: (command) => {
      if (taken.has(command.id)) {
        uplink.settle(command.id);
        return;
      }
      taken.add(command.id);
      carryOut(command).then(
        (data) => uplink.settle(command.id, { data }),
        (error: Error) => {
          // it may be tried again
          taken.delete(command.id);
          uplink.settle(command.id, { error: error.message });
        },
      );
    },
  });

  const end = (why: string) => {
    log(why);
    ending.abort();
  };

  const host: DriverHost = {
    spec,
    budget: new BudgetGate({
      budget: spec.budget,
      before: spec.spentBefore,
      ask: ({ toolInput }, signal) => askForBudget(host, toolInput, signal),
    }),
    report: (news) => uplink.report(news),
    delta: (delta) => uplink.delta(delta),
    ask: (ask, signal) => {
      const correlationId = ask.correlationId ?? `${spec.runnerId}/${randomUUID()}`;
      return uplink.ask({ ...ask, correlationId }, signal);
    },
    precheck: async (ask, signal) => {
      if (!uplink.isAttached && !spec.waitsForDaemon) return NO_OPINION;
      return uplink.ask({ ...ask, stage: 'before', correlationId: `${spec.runnerId}/${randomUUID()}` }, signal);
    },
    noteProcess: (process) => processes.note(process),
    onIdle: () => {
      clearTimeout(linger);
      linger = setTimeout(() => end('Nothing more to do.'), spec.lingerMs);
    },
    onBusy: () => clearTimeout(linger),
  };

  const carryOut = async (command: Command): Promise<unknown> => {
    if (command.kind === 'shutdown') return end(command.why);
    if (!agent) throw new Error('The session is still starting.');
    switch (command.kind) {
      case 'prompt':
        return agent.prompt({ id: command.id, text: command.text });
      case 'interrupt':
        return agent.interrupt();
      case 'settings':
        if (command.budget) host.budget.limits = command.budget;
        return agent.settings(command);
      case 'children_spent':
        host.budget.childrenSpent = command;
        return undefined;
      case 'rewind_files':
        return agent.rewindFiles(command.messageId, command);
      case 'background':
        return agent.background(command.toolUseId);
      case 'shells':
        if (!agent.shells) throw new Error('This session has no shells.');
        return agent.shells.take(command.command);
    }
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(`Got ${signal}.`));
  // the terminal that the daemon was started in is none of our business
  process.on('SIGHUP', () => undefined);

  const running = uplink.run();
  let error: string | null = null;
  try {
    agent = await startAgent(host);
    if (spec.prompt === null) host.onIdle();
    else await agent.prompt({ id: spec.promptId ?? randomUUID(), text: spec.prompt });
    await Promise.race([agent.ended, aborted(ending.signal)]);
  } catch (failure) {
    error = (failure as Error).message;
    log(`The agent ended: ${error}`);
  }
  clearTimeout(linger);
  await agent?.close();
  host.report({ kind: 'ended', error });
  await uplink.drain(DRAIN_MS);
  uplink.close();
  await running;
  spool.close();
}

/** The session waits for its operator like with any other question, and shows it. */
async function askForBudget(host: DriverHost, toolInput: Record<string, unknown>, signal: AbortSignal) {
  const call = { id: `budget-${randomUUID()}`, name: BUDGET_TOOL, input: toolInput };
  const about = { actor: { id: MAIN_ACTOR }, kind: 'question' as const, call };
  host.report({ kind: 'agent', event: { type: 'ask.raised', ...about, hasDialog: false } });
  const ask = { stage: 'decide', kind: 'question', toolName: BUDGET_TOOL, toolInput, toolUseId: call.id } as const;
  try {
    return await host.ask(ask, signal);
  } finally {
    host.report({ kind: 'agent', event: { type: 'ask.settled', ...about } });
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
