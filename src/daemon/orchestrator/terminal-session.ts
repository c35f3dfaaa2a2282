import type { Orchestration, StartSpec } from '../../contract/orchestration.ts';
import type { Enrollment } from '../../contract/runners.ts';
import { DomainError } from '../errors.ts';
import type { KnownSession } from './orchestrated-rows.ts';

interface Place {
  name: string;
  project: string;
  by: string;
  at: number;
}

/** A session that brings its own process, as if it had been started from here: so it can be resumed, forked and found later. */
export function terminalSession(enrollment: Enrollment, { name, project, by, at }: Place): KnownSession {
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
    prompt,
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

/** What changes whenever its process comes: for the first time, or to continue it. */
export function nowRunning({ model, permissionMode, budget, isBusy }: Enrollment, at: number) {
  return {
    lifecycle: isBusy ? ('running' as const) : ('succeeded' as const),
    model,
    permissionMode,
    budget,
    error: null,
    waitsFor: null,
    finishedAt: isBusy ? null : at,
    hasRunner: true,
  };
}

export const hostedElsewhere = (sessionId: string): DomainError =>
  new DomainError(
    'session.in_use',
    409,
    `Another process hosts session ${sessionId}. Stop it there, or fork the session.`,
  );
