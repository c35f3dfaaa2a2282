import type { RequestListener } from 'node:http';
import { createIsHosted } from '../drivers/runner/own-hooks.ts';
import { entrypointOf } from '../drivers/terminal/intake/entrypoint.ts';
import type { Intake } from '../drivers/terminal/intake/intake.ts';
import { createRecordSpeaker } from '../drivers/terminal/intake/record-speaker.ts';
import { answerPermissionHooks } from '../drivers/terminal/permission/hook-permissions.ts';
import { createResumeAsk } from '../drivers/terminal/permission/resume-ask.ts';
import { namePrompts } from '../drivers/terminal/prompts/name-prompt.ts';
import { refuseHooks } from '../drivers/terminal/stop/refuse-hook.ts';
import { hookEndpoint } from '../http/hook-endpoint.ts';
import { promptRoutes } from '../http/prompts.ts';
import { isHeadless } from '../sessions/entrypoint.ts';
import type { AccessPart } from './access.ts';
import type { ApprovalsPart } from './approvals.ts';
import type { Base } from './base.ts';
import type { ControlPart } from './control.ts';
import type { CorePart } from './core.ts';
import type { HooksPart } from './hooks.ts';
import type { PermissionsPart } from './permissions.ts';
import type { ReviewsPart } from './reviews.ts';
import type { RulesPart } from './rules.ts';
import type { RunnersPart } from './runners.ts';
import type { TerminalPart } from './terminal.ts';

type Needs = Pick<CorePart, 'core'> &
  Pick<AccessPart, 'guard' | 'hookSource' | 'origins'> &
  Pick<RunnersPart, 'runners'> &
  Pick<HooksPart, 'strict'> &
  Pick<ApprovalsPart, 'approvals'> &
  Pick<RulesPart, 'rules' | 'policies'> &
  Pick<ReviewsPart, 'reviews'> &
  Pick<TerminalPart, 'hold' | 'turnEnd' | 'terminal' | 'spareClients'> &
  Pick<ControlPart, 'prompts' | 'stops'> &
  Pick<PermissionsPart, 'judge' | 'deliveries'>;

export type IntakePart = ReturnType<typeof intakePart>;

/** What hooks tell and ask, and who answers them. */
export function intakePart({ log, onError }: Base, needs: Needs) {
  const { core, guard, hookSource, strict, approvals, rules, policies, reviews, hold, turnEnd, terminal } = needs;
  const { prompts, stops, judge, deliveries, runners, origins } = needs;
  const { live, record } = core;
  const answerPermissions = answerPermissionHooks({
    onAnswer: (id, hook) => deliveries.sent(id, hook),
    judge,
    isHeadless: (hook) => isHeadless(entrypointOf(hook, live)),
    onError,
    questionOf: hold.questionOf,
    onUnruled: (id, call) => reviews.note(id, call),
  });
  const intake: Intake = {
    record,
    recordSpeaker: createRecordSpeaker({ live, record, onError }),
    rowFor: (sessionId, endedCall) => reviews.rowFor(sessionId, endedCall),
    responders: [
      answerPermissions,
      turnEnd.respond,
      refuseHooks((call) => stops.refusal(call)),
      namePrompts((sessionId) => prompts.lastDelivered(sessionId)),
    ],
    checksCalls: () => rules.list().length > 0 || policies.list().length > 0,
  };
  const resumeAsk = createResumeAsk({ approvals, deliveries });
  const isHosted = createIsHosted({ runners, origins, spareClients: needs.spareClients });
  const context = { guard, hookSource, isHosted, intake, strict, approvals, deliveries, resumeAsk };
  return {
    intake,
    /** Answers hooks, and leaves the rest to `others`. */
    endpoint: (others: RequestListener): RequestListener => hookEndpoint(context, { log, others }),
    routes: [promptRoutes({ prompts, hookSource, live, terminal })],
  };
}
