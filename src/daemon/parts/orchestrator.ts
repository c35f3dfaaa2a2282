import { dirname, join } from 'node:path';
import { RunnerAsks } from '../drivers/runner/runner-asks.ts';
import { DomainError } from '../errors.ts';
import { orchestrationRoutes } from '../http/orchestration.ts';
import { Orchestrator } from '../orchestrator/orchestrator.ts';
import { SessionLauncher } from '../orchestrator/session-launcher.ts';
import { Spares } from '../orchestrator/spares.ts';
import type { AccessPart } from './access.ts';
import type { ApprovalsPart } from './approvals.ts';
import type { Base } from './base.ts';
import type { BlueprintsPart } from './blueprints.ts';
import type { ControlPart } from './control.ts';
import type { CorePart } from './core.ts';
import type { PermissionsPart } from './permissions.ts';
import type { ReviewsPart } from './reviews.ts';
import type { RulesPart } from './rules.ts';
import type { RunnersPart } from './runners.ts';
import type { TranscriptsPart } from './transcripts.ts';

type Needs = Pick<CorePart, 'core'> &
  Pick<AccessPart, 'sessionTokens'> &
  Pick<RunnersPart, 'runners'> &
  Pick<BlueprintsPart, 'blueprints'> &
  Pick<RulesPart, 'rules'> &
  Pick<ReviewsPart, 'reviews'> &
  Pick<ControlPart, 'stops' | 'prompts'> &
  Pick<ApprovalsPart, 'approvals' | 'presence'> &
  Pick<PermissionsPart, 'judge' | 'deliveries'> &
  Pick<TranscriptsPart, 'priceBook'>;

/** Sessions that are started from here. */
export function orchestratorPart({ dataDir, env, worker, now, onError }: Base, needs: Needs) {
  const {
    core,
    runners,
    blueprints,
    rules,
    reviews,
    stops,
    prompts,
    approvals,
    presence,
    judge,
    deliveries,
    priceBook,
  } = needs;
  const agreed = dataDir.setting('agreedBlueprints');
  const program = join(dirname(worker), 'runner.js');
  const ours = { program, dataDir: dataDir.path, env, tokens: needs.sessionTokens };
  const spares = new Spares({
    ...ours,
    folder: dataDir.file('runners'),
    isWanted: () => presence.level() !== 'none',
    now,
    onError,
  });
  const launcher = new SessionLauncher({
    ...ours,
    runners,
    spares,
    prices: () => priceBook.overrides,
    lingerMs: () => dataDir.preferences().runnerLingerSeconds * 1000,
    isStrict: (project) => dataDir.preferences().strictProjects.includes(project),
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
    workplaceOf: async ({ cwd, worktree }) => {
      if (cwd !== undefined && worktree === undefined) return { cwd, worktree: null };
      throw new DomainError('session.no_place', 422, 'Say where the session works: cwd.');
    },
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
  runners.onAttached((sessionId) => prompts.onListening(sessionId));
  return {
    orchestrator,
    routes: [orchestrationRoutes({ orchestrator })],
    start() {
      runners.start();
      spares.start();
    },
    stop: () => spares.stop(),
  };
}
