import type { Core } from '../core.ts';
import type { Actor } from './actor.ts';
import { openInTerminal, unknownSession } from './errors.ts';
import type { KnownSession } from './orchestrated-rows.ts';
import { cutPrompt, projectOf, requireFolder, type SessionRegistry } from './session-registry.ts';

/** Registers a session that started in a terminal, once that terminal is closed. */
export async function adoptSession(
  ref: string,
  { name: wanted }: { name?: string | undefined },
  actor: Actor,
  { core, registry }: { core: Core; registry: SessionRegistry },
): Promise<KnownSession> {
  if (actor.principal) throw unknownSession(ref);
  const session = core.live.get(ref) ?? core.left.find(ref);
  const cwd = session?.startedIn ?? session?.cwd;
  if (!session || !cwd) throw unknownSession(ref);
  if (session.endedAt === null && session.process) throw openInTerminal(ref);
  requireFolder(cwd);
  const project = await projectOf(cwd);
  const name = wanted ?? registry.freeName({ name: `session-${ref.slice(0, 8)}` }, project);
  registry.requireFree(name, project);
  const createdAt = session.startedAt;
  const prompt = session.reading?.firstPrompt ?? session.lastPrompt ?? '';
  const known: KnownSession = {
    id: ref,
    result: null,
    spec: {
      name,
      driver: 'claude',
      parameters: {},
      prompt: prompt || 'Resumed',
      cwd,
      allowedTools: [],
      deniedTools: [],
      after: [],
      priority: 0,
      callback: false,
      logging: false,
    },
    orchestration: {
      name,
      project,
      driver: 'claude',
      lifecycle: 'succeeded',
      waitsFor: null,
      error: null,
      blueprint: null,
      parentId: null,
      depth: 0,
      group: null,
      cwd,
      worktree: null,
      prompt: cutPrompt(prompt),
      model: null,
      permissionMode: null,
      allowedTools: [],
      budget: {},
      spent: { dollars: 0, tokens: 0, minutes: 0 },
      priority: 0,
      after: [],
      startAt: null,
      startedBy: 'terminal',
      createdAt,
      startedAt: createdAt,
      finishedAt: session.endedAt,
      lastResumedAt: null,
      hasRunner: false,
      callback: null,
    },
  };
  await registry.add(known, 'session.advanced', actor.by);
  return known;
}
