import type { Orchestration, StartSpec } from '../../contract/orchestration.ts';
import type { Enrollment } from '../../contract/runners.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { Runners } from '../drivers/runner/runners.ts';
import { DomainError } from '../errors.ts';
import type { Actor } from './actor.ts';
import type { KnownSession } from './orchestrated-rows.ts';
import { cutPrompt, projectOf, requireFolder, type SessionRegistry } from './session-registry.ts';

interface EnrollOptions {
  registry: SessionRegistry;
  runners: Runners;
  tokens: SessionTokens;
  now: () => number;
}

/**
 * Registers a session that a person runs in a terminal with the built-in agent. Its process already exists and now reports here. Returns
 * its token.
 */
export async function enrollTerminal(enrollment: Enrollment, actor: Actor, options: EnrollOptions): Promise<string> {
  const { sessionId, runnerId, cwd } = enrollment;
  const { registry, runners, tokens, now } = options;
  const current = runners.of(sessionId);
  const before = registry.load(sessionId);
  const isOthers = (current && current.id !== runnerId) || (before && before.orchestration.driver !== 'native');
  if (isOthers) throw hostedElsewhere(sessionId);
  const token = () => tokens.create({ kind: 'runner', sessionId, runnerId });
  // the response with its token was lost
  if (current) return token();
  requireFolder(cwd);
  const project = await projectOf(cwd);
  const at = now();
  const { by } = actor;
  const { runner, write } = runners.create(sessionId, runnerId);
  try {
    if (before) {
      const change = { ...nowRunning(enrollment, at), lastResumedAt: at };
      await registry.change(before, 'session.launched', change, { by, write, result: null });
    } else {
      const name = registry.freeName({ blueprint: 'run' }, project);
      const known = terminalSession(enrollment, { name, project, by, at });
      await registry.add(known, 'session.launched', by, write);
      registry.announce(known);
    }
  } catch (error) {
    runners.forget(runner);
    throw error;
  }
  return token();
}

interface Place {
  name: string;
  project: string;
  by: string;
  at: number;
}

/** Recorded like a session started from here, so it can be resumed, forked and found later. */
function terminalSession(enrollment: Enrollment, { name, project, by, at }: Place): KnownSession {
  const { sessionId: id, cwd, model, permissionMode, budget } = enrollment;
  const prompt = enrollment.prompt?.trim() || 'Started in a terminal';
  const spec: StartSpec = {
    name,
    driver: 'native',
    parameters: {},
    prompt,
    cwd,
    model,
    permissionMode,
    budget,
    allowedTools: [],
    deniedTools: [],
    after: [],
    priority: 0,
    callback: false,
    logging: false,
  };
  const orchestration: Orchestration = {
    name,
    project,
    driver: 'native',
    blueprint: null,
    parentId: null,
    depth: 0,
    group: null,
    cwd,
    worktree: null,
    prompt: cutPrompt(prompt),
    allowedTools: [],
    spent: { dollars: 0, tokens: 0, minutes: 0 },
    priority: 0,
    after: [],
    startAt: null,
    startedBy: by,
    createdAt: at,
    lastResumedAt: null,
    startedAt: at,
    ...nowRunning(enrollment, at),
  };
  return { id, spec, orchestration, result: null };
}

/** Updates for each new process, whether it starts the session or continues it. */
function nowRunning({ model, permissionMode, budget, isBusy }: Enrollment, at: number) {
  return {
    lifecycle: isBusy ? ('running' as const) : ('succeeded' as const),
    model,
    permissionMode,
    budget,
    error: null,
    waitsFor: null,
    finishedAt: isBusy ? null : at,
    hasRunner: true,
    callback: null,
  };
}

const hostedElsewhere = (sessionId: string): DomainError =>
  new DomainError(
    'session.in_use',
    409,
    `Another process hosts session ${sessionId}. Stop it there, or fork the session.`,
  );
