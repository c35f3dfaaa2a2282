import type { RuleDraft } from '../../../src/contract/rules.ts';
import { formatDateTime } from '../ui/dates.ts';

/** A condition besides scope and pattern. In the editor it is one text field; empty text means that the rule doesn't have it. */
interface RuleCondition {
  label: string;
  hint: string;
  /** Of the input element. */
  type: string;
  toText(rule: RuleDraft): string;
  /** null: not valid yet. */
  toRule(text: string): Partial<RuleDraft> | null;
  /** For lists of rules. Empty: the rule doesn't have it. */
  summarize(rule: RuleDraft): string;
}

export const RULE_CONDITIONS: Record<string, RuleCondition> = {
  expires: {
    label: 'Expires',
    hint: 'optional',
    type: 'datetime-local',
    toText: ({ expiresAt }) => (expiresAt === undefined ? '' : toLocalField(expiresAt)),
    toRule: (text) => {
      const expiresAt = new Date(text).getTime();
      return Number.isNaN(expiresAt) ? null : { expiresAt };
    },
    summarize: ({ expiresAt }) => {
      if (expiresAt === undefined) return '';
      return `${expiresAt < Date.now() ? 'expired' : 'until'} ${formatDateTime(expiresAt)}`;
    },
  },
};

export const textsOf = (rule: RuleDraft | null): Record<string, string> =>
  Object.fromEntries(Object.entries(RULE_CONDITIONS).map(([name, one]) => [name, rule ? one.toText(rule) : '']));

/** null: one of them isn't valid yet. */
export function toConditions(texts: Record<string, string>): Partial<RuleDraft> | null {
  const parts = Object.entries(texts).flatMap(([name, text]) => (text ? [RULE_CONDITIONS[name]?.toRule(text)] : []));
  return parts.some((part) => !part) ? null : Object.assign({}, ...parts);
}

export const summarizeConditions = (rule: RuleDraft): string[] =>
  Object.values(RULE_CONDITIONS).map((one) => one.summarize(rule));

/** Local time, in the format of the browser's input. */
function toLocalField(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
