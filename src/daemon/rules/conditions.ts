import type { RuleDraft } from '../../contract/rules.ts';
import { isWithin } from '../is-within.ts';
import type { CallToJudge } from './call-facts.ts';
import type { JudgedRule } from './compile-rule.ts';

/** When a rule applies, apart from what its pattern says about the call. */
interface Condition {
  holds(rule: JudgedRule, call: CallToJudge): boolean;
  /** For the operator, as part of a sentence. Empty: the rule doesn't have this condition. */
  describe(rule: RuleDraft): string;
}

const scope: Condition = {
  holds(rule, call) {
    if (rule.scope === 'session') return rule.sessionId !== undefined && rule.sessionId === call.sessionId;
    if (rule.scope === 'global') return true;
    const { project } = rule;
    if (project === undefined) return false;
    const { cwd, startedIn } = call;
    // wherever it goes, an agent must not take its permissions along nor leave its restrictions behind
    const isIn = (folder: string | undefined) => isWithin(folder, project);
    const isInWorktree = (folder: string) =>
      call.checkout !== undefined && isIn(call.project) && isWithin(folder, call.checkout);
    if (rule.decision !== 'allow') return [cwd, call.project, startedIn].some(isIn);
    const known = [cwd, call.project].filter((folder) => folder !== undefined);
    return known.length > 0 && known.every((folder) => isIn(folder) || isInWorktree(folder));
  },
  describe: ({ scope, project, sessionId }) =>
    ({
      global: 'In every session',
      project: `In the project ${project}`,
      session: `In the session ${sessionId}`,
    })[scope],
};

const expiry: Condition = {
  holds: ({ expiresAt }, { now }) => expiresAt === undefined || expiresAt > now,
  describe: ({ expiresAt }) => (expiresAt === undefined ? '' : `until ${new Date(expiresAt).toISOString()}`),
};

const CONDITIONS = [scope, expiry];

/** Whether the rule applies to this session's calls, in this call's location, now. */
export function appliesTo(rule: JudgedRule, call: CallToJudge): boolean {
  return CONDITIONS.every((condition) => condition.holds(rule, call));
}

/** `In the project /work/app, until 2030-01-02T03:04:00.000Z` */
export function describeConditions(rule: RuleDraft): string {
  return CONDITIONS.map((condition) => condition.describe(rule))
    .filter((part) => part !== '')
    .join(', ');
}
