import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LoopEvent } from '../../agent/events.ts';
import type { Client } from '../../client/client.ts';
import { CallRefused } from '../../client/errors.ts';
import type { Budget } from '../../contract/orchestration.ts';
import { RUNNER_FILES } from '../../contract/runner-names.ts';
import type { RunnerSpec } from '../../contract/runners.ts';
import { ownIdentity } from '../identity.ts';
import { ProcessesFile } from '../processes-file.ts';
import { connectSession } from '../session-link.ts';
import { Spool } from '../spool.ts';
import { type NativeAgent, startNative } from './native-agent.ts';
import type { NativeOptions } from './native-session.ts';
import { askForBudget } from './own-asks.ts';

/** A live daemon responds within this time. If it is gone, the next one reads the rest from the spool. */
const DRAIN_MS = 2000;
/** Generous, for a busy machine. Without a daemon there is no wait. */
const FIRST_ATTACH_MS = 15_000;

/** The session's connection to the daemon. */
export type Link = { kind: 'attached' } | { kind: 'alone' } | { kind: 'refused'; why: string };

export interface TerminalOptions {
  given: NativeOptions;
  /** The operator's first prompt, used to name the session. */
  prompt: string | null;
  budget: Budget;
  /** Undefined: no daemon runs, or it isn't ours. */
  findDaemon: () => Promise<Client | undefined>;
  onEvent: (event: LoopEvent) => void;
  onLink: (link: Link) => void;
  /** The operator ended the session from elsewhere. */
  onShutdown: (why: string) => void;
  /** Why the operator can't be asked here if the daemon is away. */
  nobodyThere?: () => string | undefined;
}

export interface TerminalSession {
  native: NativeAgent;
  isAttached: () => boolean;
  /** Resolves when the daemon knows the session, or clearly won't any time soon. */
  settled: Promise<void>;
  /** Retries after a refusal: the operator may have confirmed this terminal since. */
  retry: () => void;
  /** Returns the pids of processes that survived, normally none. */
  close: () => Promise<number[]>;
}

/**
 * A session in the operator's own terminal. It works without a daemon. While one runs, it is a session like any other there, with every
 * event since its start, approvals that can be answered in either place, stops, prompts and shells.
 */
export async function openInTerminal(options: TerminalOptions): Promise<TerminalSession> {
  const { given, findDaemon, onLink } = options;
  const { dataDir } = given;
  const boot = ownIdentity();
  const spool = new Spool(null);
  const spec = specOf(options);
  let native: NativeAgent | undefined;
  let token: string | undefined;
  let refusedBy: string | undefined;
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });

  /** Registers with the daemon, once per daemon: a restarted daemon still knows its runners. */
  const enroll = async (url: string): Promise<string> => {
    if (token !== undefined) return token;
    if (refusedBy === url) throw new Error('The daemon refused this session.');
    const client = await findDaemon();
    if (!client || !native) throw new Error('No daemon answers.');
    const runnerId = randomUUID();
    const dir = join(dataDir, 'runners', runnerId);
    // written before the daemon checks it, because the daemon identifies a runner by this process
    new ProcessesFile(dir, boot);
    spool.saveTo(join(dir, RUNNER_FILES.spool));
    const { session } = native;
    const { sessionId, cwd, agent } = session;
    try {
      const { mode: permissionMode } = session.asks.context;
      const about = { prompt: options.prompt, model: agent.model, permissionMode, budget: options.budget };
      const body = { runnerId, sessionId, cwd, isBusy: agent.isBusy, ...about };
      const { enrollRunner } = await import('../wire.ts');
      const enrolled = await client.call(enrollRunner, { body });
      spec.runnerId = runnerId;
      spec.waitsForDaemon = enrolled.waitsForDaemon;
      token = enrolled.token;
      return token;
    } catch (error) {
      rmSync(dir, { recursive: true, force: true });
      if (error instanceof CallRefused) {
        refusedBy = url;
        onLink({ kind: 'refused', why: error.message });
      }
      throw error;
    }
  };

  const { host, uplink } = connectSession({
    spec,
    boot,
    spool,
    log: () => settle(),
    token: enroll,
    onAttached: () => {
      onLink({ kind: 'attached' });
      settle();
    },
    onDetached: () => onLink({ kind: 'alone' }),
    onRefused: ({ status }) => {
      // the daemon forgot us, or never knew us
      if (status === 401 || status === 404) token = undefined;
    },
    agent: () => native,
    end: options.onShutdown,
    askForBudget: (toolInput, signal) => {
      if (!native) throw new Error('The session is still starting.');
      return askForBudget(native.session.asks, toolInput, signal);
    },
    // its sweeper ends its shells, and it has no other processes
    noteProcess: () => undefined,
    onIdle: () => undefined,
    onBusy: () => undefined,
  });

  native = await startNative(host, {
    env: process.env,
    prices: given.prices,
    version: given.version,
    given,
    onEvent: options.onEvent,
    nobodyThere: () => (uplink.isAttached ? undefined : options.nobodyThere?.()),
  });
  const running = uplink.run();
  const patience = setTimeout(settle, FIRST_ATTACH_MS);
  patience.unref();

  return {
    native,
    isAttached: () => uplink.isAttached,
    settled,
    retry: () => {
      refusedBy = undefined;
    },
    async close() {
      const left = await native.close();
      host.report({ kind: 'ended', error: null });
      if (uplink.isAttached) await uplink.drain(DRAIN_MS);
      uplink.close();
      await running;
      spool.close();
      clearTimeout(patience);
      return left;
    },
  };
}

/** The options of a hosted session that also apply in a terminal. */
function specOf({ given, budget }: TerminalOptions): RunnerSpec {
  const { start, dataDir, model } = given;
  return {
    runnerId: '',
    sessionId: start.sessionId,
    token: '',
    agentToken: '',
    dataDir,
    driver: 'native',
    cwd: process.cwd(),
    claude: null,
    start: start.how === 'fork' ? { how: 'fork', from: start.from } : { how: start.how },
    prompt: null,
    promptId: null,
    model,
    permissionMode: given.permission.mode ?? 'default',
    deniedTools: [],
    mcpServers: {},
    budget,
    spentBefore: { dollars: 0, tokens: 0, ms: 0 },
    lingerMs: 0,
    waitsForDaemon: false,
    prices: [],
    sessionFiles: null,
  };
}
