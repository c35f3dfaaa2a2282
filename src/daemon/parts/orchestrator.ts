import { dirname, join } from 'node:path';
import { RunnerAsks } from '../drivers/runner/runner-asks.ts';
import { readOwnHook, readStrictHook, START_EVENTS } from '../drivers/terminal/settings/own-hook.ts';
import { mcpRoutes } from '../http/mcp.ts';
import { orchestrationRoutes } from '../http/orchestration.ts';
import { noteForSession } from '../http/server.ts';
import { Orchestrator } from '../orchestrator/orchestrator.ts';
import { SessionLauncher } from '../orchestrator/session-launcher.ts';
import { projectOf } from '../orchestrator/session-registry.ts';
import { readContext } from '../orchestrator/spare-context.ts';
import { Spares } from '../orchestrator/spares.ts';
import { Workplaces } from '../worktrees/workplaces.ts';
import type { AccessPart } from './access.ts';
import type { ApprovalsPart } from './approvals.ts';
import type { Base } from './base.ts';
import type { BlueprintsPart } from './blueprints.ts';
import type { ControlPart } from './control.ts';
import type { CorePart } from './core.ts';
import type { PermissionsPart } from './permissions.ts';
import type { QueuePart } from './queue.ts';
import type { ReviewsPart } from './reviews.ts';
import type { RulesPart } from './rules.ts';
import type { RunnersPart } from './runners.ts';
import type { TerminalPart } from './terminal.ts';
import type { TranscriptsPart } from './transcripts.ts';
import type { WorktreesPart } from './worktrees.ts';

type Needs = Pick<CorePart, 'core'> &
  Pick<AccessPart, 'sessionTokens' | 'acting'> &
  Pick<RunnersPart, 'runners'> &
  Pick<BlueprintsPart, 'blueprints'> &
  Pick<RulesPart, 'rules'> &
  Pick<ReviewsPart, 'reviews'> &
  Pick<ControlPart, 'stops' | 'prompts'> &
  Pick<ApprovalsPart, 'approvals' | 'presence'> &
  Pick<PermissionsPart, 'judge' | 'deliveries'> &
  Pick<TranscriptsPart, 'priceBook'> &
  Pick<QueuePart, 'queue'> &
  Pick<TerminalPart, 'spareClients'> &
  Pick<WorktreesPart, 'worktrees'> & { version: string };

/** Sessions that are started from here. */
export function orchestratorPart({ dataDir, configDir, env, worker, now, onError }: Base, needs: Needs) {
  const { core, runners, blueprints, rules, reviews, stops, prompts, approvals, judge, deliveries, priceBook } = needs;
  const { presence, queue, worktrees } = needs;
  const workplaces = new Workplaces(worktrees);
  const agreed = dataDir.setting('agreedBlueprints');
  const program = join(dirname(worker), 'runner.js');
  const ours = { program, dataDir: dataDir.path, env, tokens: needs.sessionTokens };
  const spares = new Spares({
    ...ours,
    folder: dataDir.file('runners'),
    clients: needs.spareClients,
    contextOf: (cwd) => readContext(cwd, { configDir, git: worktrees.git, isOurHook, startEvents: START_EVENTS, now }),
    isWanted: () => presence.level() !== 'none',
    now,
    onError,
  });
  const isStrict = (project: string) => dataDir.preferences().strictProjects.includes(project);
  const launcher = new SessionLauncher({
    ...ours,
    runners,
    spares,
    prices: () => priceBook.overrides,
    lingerMs: () => dataDir.preferences().runnerLingerSeconds * 1000,
    envIn: (cwd) => workplaces.envIn(cwd),
    isStrict,
  });
  const orchestrator = new Orchestrator({
    core,
    runners,
    blueprints,
    rules,
    stops,
    tokens: needs.sessionTokens,
    dataDir: dataDir.path,
    launcher,
    consents: {
      has: (project, fingerprint) => agreed.get().includes(`${project} ${fingerprint}`),
      add: (project, fingerprint) => agreed.set([...new Set([...agreed.get(), `${project} ${fingerprint}`])]),
    },
    checkWorkplace: (spec) => workplaces.check(spec),
    workplaceOf: (spec, session) => workplaces.make(spec, session),
    queue,
    now,
    onError,
  });
  const asks = new RunnerAsks({
    runners,
    judge,
    approvals,
    deliveries,
    timeoutOf: (sessionId) => orchestrator.approvalTimeoutOf(sessionId),
    onUnruled: (id, call) => reviews.note(id, call),
    onError,
  });
  orchestrator.answerWith(asks);
  queue.attach(orchestrator);
  runners.onAttached((sessionId) => prompts.onListening(sessionId));
  return {
    orchestrator,
    routes: [
      orchestrationRoutes({ orchestrator, prompts, waitsForDaemon: async (cwd) => isStrict(await projectOf(cwd)) }),
      mcpRoutes({
        orchestrator,
        blueprints,
        version: needs.version,
        onRefused: (request, error) => noteForSession(needs.acting, request, error),
      }),
    ],
    start() {
      runners.start();
      orchestrator.carryOn();
      queue.start();
      spares.start();
    },
    stop: () => spares.stop(),
  };
}

const isOurHook = (hook: unknown): boolean => (readOwnHook(hook) ?? readStrictHook(hook)) !== undefined;
