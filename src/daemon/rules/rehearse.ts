import type { RuleDraft, RulesRehearsal, RulesTestResponse } from '../../contract/rules.ts';
import { isRecord } from '../../contract/values.ts';
import { clip } from '../sessions/clip.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import { DRAFT_ID, type RuleTools } from './rule-tools.ts';

/** How far back to look for calls: a rule is tried while it is typed. */
const LOOK_BACK = 20_000;

/** A call an agent started. */
export interface RecordedCall {
  seq: number;
  at: number;
  sessionId: string;
  call: { name: string; input?: unknown };
  cwd: string | undefined;
}

interface Options {
  /** The latest calls agents started, newest first. Goes back at most `within` events. */
  recordedCalls: (options: { within: number; limit: number }) => RecordedCall[];
  live: LiveModel;
  ruleTools: RuleTools;
  limit: number;
  /** The saved rule it would replace. */
  id?: string | undefined;
}

/** What the rule would have decided for recent calls. */
export function rehearse(rule: RuleDraft, { recordedCalls, live, ruleTools, limit, id }: Options): RulesRehearsal {
  const recorded = recordedCalls({ within: LOOK_BACK, limit });
  const calls = recorded.map(({ seq, at, sessionId, call: { name: toolName, input }, cwd: folder }) => {
    const session = live.get(sessionId);
    const toolInput = isRecord(input) ? input : {};
    const cwd = folder ?? session?.cwd;
    const call = {
      toolName,
      toolInput,
      sessionId,
      ...(cwd ? { cwd } : {}),
      ...(session?.root ? { project: session.root } : {}),
      ...(session?.checkout ? { checkout: session.checkout } : {}),
    };
    const { decision, why } = ruleTools.test({ ...call, rules: [{ ...rule, enabled: true }] });
    const matches = decision === rule.decision;
    const overruledBy = matches
      ? overruling(ruleTools.test({ ...call, also: { ...rule, enabled: true }, except: id }), rule)
      : {};
    const shown = clip(toolInput) as Record<string, unknown>;
    return { seq, at, sessionId, toolName, toolInput: shown, matches, why, ...overruledBy };
  });
  calls.sort((a, b) => Number(b.matches) - Number(a.matches) || b.seq - a.seq);
  return { looked: calls.length, matched: calls.filter(({ matches }) => matches).length, calls };
}

/** A rule with the same decision isn't a conflict, whichever of them is named. */
function overruling(
  { decision, ruleId, why }: RulesTestResponse,
  rule: RuleDraft,
): Pick<RulesRehearsal['calls'][number], 'overruledBy'> {
  if (ruleId === DRAFT_ID || decision === 'none' || decision === rule.decision) return {};
  return { overruledBy: { decision, why, ...(ruleId ? { ruleId } : {}) } };
}
