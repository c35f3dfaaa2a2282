import type { RuleOutcome } from '../../contract/rules.ts';
import { asTyped } from './bash/simple-command.ts';
import { CallFacts, type CallToJudge, type RulesIo } from './call-facts.ts';
import type { JudgedRule } from './compile-rule.ts';
import { type Coverage, coverCommand } from './cover-command.ts';
import { doubtOf, matchOf, nameOf } from './explain.ts';
import { allOf, anyOf, type Match } from './match.ts';
import type { RankedRule, RuleSet } from './rule-set.ts';

export interface RuleVerdict {
  decision: RuleOutcome;
  rule?: JudgedRule;
  /** One sentence for the operator. */
  why: string;
}

/**
 * What the rules say about a call. Deny and ask apply if any part matches; allow only if every part is covered and provable. What is
 * unprovable, and what a rule might be about, is asked.
 */
export function decide(call: CallToJudge, rules: RuleSet, io: RulesIo): RuleVerdict {
  const facts = new CallFacts(call, io);
  const candidates = rules.candidates(facts);
  const denied = candidates.find((one) => one.rule.decision === 'deny' && catches(one, facts) === 'yes');
  if (denied) return verdict('deny', denied, `Denied by rule ${nameOf(denied.rule)}: ${matchOf(denied, facts)}.`);
  const guarded = rules.guard?.(facts);
  if (guarded) return { decision: 'ask', ...guarded };
  const asked = candidates.find((one) => one.rule.decision === 'ask' && catches(one, facts) === 'yes');
  if (asked) return verdict('ask', asked, `Asked by rule ${nameOf(asked.rule)}: ${matchOf(asked, facts)}.`);
  const possible = rules.isUncertain(facts) ? rules.all(facts) : [...candidates, ...rules.suspected(facts)];
  const feared = first(possible, (one) => one.rule.decision !== 'allow' && catches(one, facts) === 'maybe');
  if (feared)
    return verdict('ask', feared, `Asked: rule ${nameOf(feared.rule)} may apply, since ${doubtOf(feared, facts)}.`);
  return allowOrNone(candidates, rules, facts);
}

function allowOrNone(candidates: RankedRule[], rules: RuleSet, facts: CallFacts): RuleVerdict {
  const widened = widening(facts.call);
  const allows = candidates.filter(({ rule, tests }) => {
    if (rule.decision !== 'allow' || !tests.every((test) => test.allows(facts))) return false;
    return widened === undefined || Object.hasOwn(rule.pattern.parameters, widened);
  });
  const whole = allows.find(({ command }) => !command);
  if (whole) return verdict('allow', whole, `Allowed by rule ${nameOf(whole.rule)}: ${matchOf(whole, facts)}.`);
  const coverage = coverByCommand(allows, facts);
  if (coverage && 'covered' in coverage) return allowed(coverage);
  const doubt = widened !== undefined ? `it sets ${widened}` : doubtAbout(coverage, rules, facts);
  const meant =
    doubt === undefined
      ? undefined
      : first(rules.all(facts), (one) => one.rule.decision === 'allow' && catches(one, facts) !== 'no');
  if (meant) return verdict('ask', meant, `Asked: rule ${nameOf(meant.rule)} may be meant, but ${doubt}.`);
  return { decision: 'none', why: noRule(coverage, rules, facts) };
}

/** Several rules may cover one command line together if they are about the same parameter. */
function coverByCommand(allows: RankedRule[], facts: CallFacts): Coverage | undefined {
  let nearest: Coverage | undefined;
  for (const key of new Set(allows.flatMap(({ command }) => (command ? [command.key] : [])))) {
    const values = facts.values(key);
    const [value] = values;
    if (value === undefined || values.length > 1) continue;
    const coverage = coverCommand(
      allows.filter(({ command }) => command?.key === key),
      value,
      facts,
    );
    if ('covered' in coverage) return coverage;
    nearest ??= coverage;
  }
  return nearest;
}

function allowed({ covered, helpers }: Extract<Coverage, { covered: unknown }>): RuleVerdict {
  const best = covered.reduce((a, b) => (b.by.rank < a.by.rank ? b : a)).by;
  const parts = [...new Set(covered.map(({ words, by }) => `\`${asTyped(words, 60)}\` by rule ${nameOf(by.rule)}`))];
  const more = parts.length > 4 ? `, and ${parts.length - 4} more` : '';
  const beside = helpers.map((words) => `\`${asTyped(words, 40)}\``);
  const rest = beside.length === 0 ? '' : `; ${beside.slice(0, 4).join(', ')} beside it only prints`;
  return verdict('allow', best, `Allowed: ${parts.slice(0, 4).join(', ')}${more}${rest}.`);
}

function doubtAbout(coverage: Coverage | undefined, rules: RuleSet, facts: CallFacts): string | undefined {
  if (coverage && 'unprovable' in coverage) return coverage.unprovable;
  return rules
    .parametersFor(facts)
    .map((key) => facts.doubtAt(key))
    .find((doubt) => doubt !== undefined);
}

function noRule(coverage: Coverage | undefined, rules: RuleSet, facts: CallFacts): string {
  const { toolName } = facts.call;
  if (first(rules.all(facts), () => true) === undefined) return `No rule is about ${toolName}.`;
  const uncovered =
    coverage && 'uncovered' in coverage ? coverage.uncovered : facts.firstCommand(rules.parametersFor(facts));
  return uncovered ? `No rule covers \`${asTyped(uncovered)}\`.` : `No rule about ${toolName} matches this call.`;
}

/** Parameters that make a call do more than it seems: a rule has to name them. */
function widening({ toolInput }: CallToJudge): string | undefined {
  return Object.keys(toolInput).find((key) => {
    const value = toolInput[key];
    return (/^dangerously/i.test(key) && value !== false && value !== undefined) || value === 'bypassPermissions';
  });
}

function catches({ tests, command }: RankedRule, facts: CallFacts): Match {
  const matches = tests.map((test) => test.catches(facts));
  if (!command || matches.includes('no')) return allOf(matches);
  const values = facts.values(command.key);
  const found = values.map((value) =>
    value === undefined ? 'maybe' : command.matcher.catches(facts.command(value)).verdict,
  );
  return allOf([...matches, anyOf(found)]);
}

function verdict(decision: RuleOutcome, { rule }: RankedRule, why: string): RuleVerdict {
  return { decision, rule, why };
}

function first<T>(items: Iterable<T>, fits: (item: T) => boolean): T | undefined {
  for (const item of items) if (fits(item)) return item;
  return undefined;
}
