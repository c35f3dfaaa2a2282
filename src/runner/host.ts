import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { MAIN_ACTOR } from '../contract/main-actor.ts';
import { BUDGET_TOOL } from '../contract/orchestration.ts';
import { RUNNER_FILES } from '../contract/runner-names.ts';
import type { RunnerSpec } from '../contract/runners.ts';
import { aborted } from './aborted.ts';
import type { DriverHost, HostedAgent, StartAgent } from './driver.ts';
import { ownIdentity } from './identity.ts';
import { ProcessesFile } from './processes-file.ts';
import { connectSession } from './session-link.ts';
import { Spool } from './spool.ts';

/** Anything the daemon hasn't received by then, it finds in the spool. */
export const DRAIN_MS = 5000;

export interface HostOptions {
  dir: string;
  spec: RunnerSpec;
  /** Set if the client is already running. */
  processes?: ProcessesFile | undefined;
  startAgent: StartAgent;
  log: (text: string) => void;
}

/** Runs one session between the agent and the daemon. Neither blocks the other longer than necessary. */
export async function hostSession({ dir, spec, processes: begun, startAgent, log }: HostOptions): Promise<void> {
  const boot = ownIdentity();
  const onFailure = (error: Error | null) =>
    log(error ? `Events can't be saved and are kept in memory: ${error.message}` : 'Events are saved again.');
  const spool = new Spool(join(dir, RUNNER_FILES.spool), { onFailure });
  const processes = begun ?? new ProcessesFile(dir, boot);
  const ending = new AbortController();
  let agent: HostedAgent | undefined;
  let linger: NodeJS.Timeout | undefined;
  const end = (why: string) => {
    log(why);
    ending.abort();
  };
  const { host, uplink } = connectSession({
    spec,
    boot,
    spool,
    log,
    token: async () => spec.token,
    agent: () => agent,
    end,
    askForBudget: (toolInput, signal) => askForBudget(host, toolInput, signal),
    noteProcess: (process) => processes.add(process),
    onIdle: () => {
      clearTimeout(linger);
      linger = setTimeout(() => end('Nothing more to do.'), spec.lingerMs);
    },
    onBusy: () => clearTimeout(linger),
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(`Got ${signal}.`));
  // survive when the terminal that started the daemon closes
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

/** The session waits for its operator as with any other question, and shows it. */
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
