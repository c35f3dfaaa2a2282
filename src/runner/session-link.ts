import { randomUUID } from 'node:crypto';
import type { RunnerCommand, RunnerProcess, RunnerSpec, RunnerVerdict } from '../contract/runners.ts';
import { aborted } from './aborted.ts';
import { BudgetGate } from './budget.ts';
import type { DriverHost, HostedAgent } from './driver.ts';
import { Uplink, type UplinkOptions } from './uplink.ts';

const NO_OPINION = { correlationId: '', decision: 'none', why: "The daemon isn't reachable." } as const;

type Command = Exclude<RunnerCommand, { kind: 'heartbeat' | 'verdict' }>;

export interface SessionLinkOptions extends Omit<UplinkOptions, 'onCommand'> {
  spec: RunnerSpec;
  /** Undefined while it is starting. */
  agent: () => HostedAgent | undefined;
  end: (why: string) => void;
  askForBudget: (toolInput: Record<string, unknown>, signal: AbortSignal) => Promise<RunnerVerdict>;
  noteProcess: (process: RunnerProcess) => void;
  onIdle: () => void;
  onBusy: () => void;
}

/** Connects one session to the daemon: the agent's events go up, and the operator's commands run once. */
export function connectSession(options: SessionLinkOptions): { host: DriverHost; uplink: Uplink } {
  const { spec, noteProcess, onIdle, onBusy } = options;
  /** The daemon repeats a command until it sees an outcome. */
  const taken = new Set<string>(spec.promptId === null ? [] : [spec.promptId]);

  const uplink = new Uplink({
    ...options,
    onCommand: (command) => {
      if (taken.has(command.id)) {
        uplink.settle(command.id);
        return;
      }
      taken.add(command.id);
      carryOut(command).then(
        (data) => uplink.settle(command.id, { data }),
        (error: Error) => {
          // the command can be retried
          taken.delete(command.id);
          uplink.settle(command.id, { error: error.message });
        },
      );
    },
  });

  const host: DriverHost = {
    spec,
    budget: new BudgetGate({
      budget: spec.budget,
      before: spec.spentBefore,
      ask: ({ toolInput }, signal) => options.askForBudget(toolInput, signal),
    }),
    report: (news) => uplink.report(news),
    delta: (delta) => uplink.delta(delta),
    shellsChanged: (change) => uplink.shellsChanged(change),
    ask: (ask, signal) => {
      const correlationId = ask.correlationId ?? `${spec.runnerId}/${randomUUID()}`;
      return uplink.ask({ ...ask, correlationId }, signal);
    },
    precheck: async (ask, signal) => {
      // a client that was ready can be faster than our first connection, and rules apply from its first call
      await Promise.race([uplink.tried, aborted(signal)]);
      if (!uplink.isAttached && !spec.waitsForDaemon) return NO_OPINION;
      return uplink.ask({ ...ask, stage: 'before', correlationId: `${spec.runnerId}/${randomUUID()}` }, signal);
    },
    noteProcess,
    onIdle,
    onBusy,
  };

  const carryOut = async (command: Command): Promise<unknown> => {
    if (command.kind === 'shutdown') return options.end(command.why);
    const agent = options.agent();
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
      default:
        throw new Error(`This runner doesn't know the command ${JSON.stringify((command as Command).kind)}.`);
    }
  };
  return { host, uplink };
}
