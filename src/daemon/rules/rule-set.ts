import { byDecidingOrder } from '../../contract/rule-order.ts';
import type { Guard } from './built-in/built-in-rules.ts';
import type { CallFacts } from './call-facts.ts';
import { type CompiledRule, compileRule, type JudgedRule } from './compile-rule.ts';
import { appliesTo } from './conditions.ts';
import type { Glob } from './glob/glob.ts';
import { TextIndex } from './glob/text-index.ts';

export interface RankedRule extends CompiledRule {
  rank: number;
}

/** The rules about one tool name, or one pattern of names. */
interface ToolRules {
  rules: RankedRule[];
  /** Rules without parameters. */
  always: RankedRule[];
  byParameter: Map<string, TextIndex<RankedRule>>;
  parameters: string[];
}

interface PatternRules {
  names: Glob[];
  about: ToolRules;
}

/** Compiled and indexed rules, so a call meets only the few that could apply. */
export class RuleSet {
  readonly #byName = new Map<string, ToolRules>();
  readonly #byPattern: TextIndex<PatternRules>;
  /** What is always asked, whatever these rules allow. */
  readonly guard: Guard | undefined;

  constructor(rules: JudgedRule[], { guard }: { guard?: Guard | undefined } = {}) {
    this.guard = guard;
    const ranked = rules
      .filter(({ enabled }) => enabled)
      .sort(byDecidingOrder)
      .map((rule, rank) => ({ ...compileRule(rule), rank }));
    const isNamed = ({ toolName }: RankedRule) => toolName.every(({ literal }) => literal !== undefined);
    const pairs = ranked
      .filter(isNamed)
      .flatMap((rule) => [...new Set(rule.toolName.map(({ literal }) => literal!))].map((name) => ({ name, rule })));
    for (const [name, same] of groupBy(pairs, (pair) => pair.name)) {
      this.#byName.set(name, toolRules(same.map(({ rule }) => rule)));
    }
    const patterned = ranked.filter((rule) => !isNamed(rule));
    const groups = [...groupBy(patterned, ({ rule }) => rule.pattern.toolName).values()].map((same) => ({
      names: same[0]!.toolName,
      about: toolRules(same),
    }));
    this.#byPattern = new TextIndex(groups.map((item) => ({ item, globs: item.names })));
  }

  #about(toolName: string): ToolRules[] {
    const named = this.#byName.get(toolName);
    const found = new Set<PatternRules>();
    this.#byPattern.collect([toolName], found);
    const others = [...found].filter(({ names }) => names.some((glob) => glob.matches(toolName)));
    return [...(named ? [named] : []), ...others.map(({ about }) => about)];
  }

  /** The rules that could certainly match this call, best first. */
  candidates(facts: CallFacts): RankedRule[] {
    const found = new Set<RankedRule>();
    for (const { always, byParameter } of this.#about(facts.call.toolName)) {
      for (const rule of always) found.add(rule);
      for (const [key, index] of byParameter)
        if (facts.values(key).length > 0) index.collect(facts.textsAt(key), found);
    }
    return inOrder(found, facts);
  }

  /** The rules that could match if arguments turn out to be commands, best first. */
  suspected(facts: CallFacts): RankedRule[] {
    const found = new Set<RankedRule>();
    for (const { byParameter } of this.#about(facts.call.toolName)) {
      for (const [key, index] of byParameter) {
        const suspects = facts.suspectsAt(key);
        if (suspects.length > 0) index.collect(suspects, found);
      }
    }
    return inOrder(found, facts);
  }

  /** Every rule about this tool, best first, for when a match depends on something unknown. */
  *all(facts: CallFacts): Generator<RankedRule> {
    const about = this.#about(facts.call.toolName);
    const rules =
      about.length === 1 ? about[0]!.rules : about.flatMap((each) => each.rules).sort((a, b) => a.rank - b.rank);
    for (const rule of rules) if (appliesTo(rule.rule, facts.call)) yield rule;
  }

  /** The parameters that rules about this tool look at. */
  parametersFor(facts: CallFacts): string[] {
    return this.#about(facts.call.toolName).flatMap(({ parameters }) => parameters);
  }

  isUncertain(facts: CallFacts): boolean {
    return this.parametersFor(facts).some((key) => facts.isUncertainAt(key));
  }
}

function inOrder(found: Set<RankedRule>, facts: CallFacts): RankedRule[] {
  return [...found].filter(({ rule }) => appliesTo(rule, facts.call)).sort((a, b) => a.rank - b.rank);
}

function toolRules(rules: RankedRule[]): ToolRules {
  const keyOf = ({ command, tests }: RankedRule) => command?.key ?? tests[0]?.key;
  const byParameter = new Map<string, TextIndex<RankedRule>>();
  for (const [key, same] of groupBy(rules, keyOf)) {
    if (key === undefined) continue;
    const entries = same.map((rule) => ({
      item: rule,
      globs: rule.command?.matcher.filedUnder ?? rule.tests[0]!.globs,
    }));
    byParameter.set(key, new TextIndex(entries));
  }
  const parameters = [...new Set(rules.flatMap(({ rule }) => Object.keys(rule.pattern.parameters)))];
  return { rules, always: rules.filter((rule) => keyOf(rule) === undefined), byParameter, parameters };
}

function groupBy<T, K>(items: T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
