import type { Rule } from '../../contract/rules.ts';
import type { CallFacts } from './call-facts.ts';
import { Glob } from './glob/glob.ts';
import { search } from './glob/search-globs.ts';
import { InvalidPattern } from './invalid-pattern.ts';
import { anyOf, type Match } from './match.ts';
import { type CommandMatcher, commandMatcher } from './match-command.ts';
import { type PathRoots, pathMatcher } from './match-path.ts';
import { urlMatcher } from './match-url.ts';
import { kindOf } from './parameters.ts';
import { parsePattern } from './parse-pattern.ts';

/** The parts of a rule needed to evaluate it. */
export type JudgedRule = Omit<Rule, 'version' | 'updatedAt'>;

/** A pattern on a parameter that isn't a command. */
interface ParameterTest {
  key: string;
  globs: Glob[];
  /** For allow: every value matches, and none is in doubt. */
  allows(facts: CallFacts): boolean;
  /** For deny and ask: one value matches, or may. */
  catches(facts: CallFacts): Match;
}

export interface CompiledRule {
  rule: JudgedRule;
  toolName: Glob[];
  tests: ParameterTest[];
  command: { key: string; matcher: CommandMatcher } | undefined;
}

/** Throws InvalidPattern for a rule that could never match as intended. */
export function compileRule(rule: JudgedRule): CompiledRule {
  const wide = rule.decision !== 'allow';
  const { toolName, parameters } = rule.pattern;
  const keys = Object.keys(parameters);
  const commands = keys.filter((key) => kindOf(key) === 'command');
  if (commands.length > 1) throw new InvalidPattern(parameters[commands[1]!]!, 'is the second command of one rule');
  const [key] = commands;
  return {
    rule,
    toolName: textGlobs(toolName),
    tests: keys.filter((each) => each !== key).map((each) => parameterTest(each, parameters[each]!, { rule, wide })),
    command: key === undefined ? undefined : { key, matcher: commandMatcher(parameters[key]!, { wide }) },
  };
}

function textGlobs(pattern: string): Glob[] {
  return parsePattern(pattern).map((parts) => {
    const tokens = parts.map((part) => (typeof part === 'string' ? part : { many: part.many, stops: '' }));
    return new Glob(tokens, pattern);
  });
}

function parameterTest(key: string, pattern: string, about: { rule: JudgedRule; wide: boolean }): ParameterTest {
  switch (kindOf(key)) {
    case 'path':
      return pathTest(key, pattern, about);
    case 'url':
      return urlTest(key, pattern, about);
    default:
      return key === 'pattern' ? searchTest(key, pattern, about) : textTest(key, pattern);
  }
}

/** A `Glob`'s pattern is a path; any other tool's is text. */
function searchTest(key: string, pattern: string, about: { rule: JudgedRule; wide: boolean }): ParameterTest {
  const text = textTest(key, pattern);
  const path = isPathPattern(pattern) ? pathTest(key, pattern, about) : undefined;
  if (!path) return text;
  const testFor = (facts: CallFacts) => (facts.isGlobPath(key) ? path : text);
  return {
    key,
    globs: [...text.globs, ...path.globs],
    allows: (facts) => testFor(facts).allows(facts),
    catches: (facts) => testFor(facts).catches(facts),
  };
}

function isPathPattern(pattern: string): boolean {
  try {
    pathMatcher(pattern, { wide: true });
    return true;
  } catch (error) {
    if (error instanceof InvalidPattern) return false;
    throw error;
  }
}

function pathTest(key: string, pattern: string, { rule, wide }: { rule: JudgedRule; wide: boolean }): ParameterTest {
  const matcher = pathMatcher(pattern, { wide });
  const test = testOf(key, matcher.globs, {
    allows: (value, facts) => matcher.allows(facts.path(value), placesOf(rule, facts)),
    catches: (value, facts) => matcher.catches(facts.path(value), placesOf(rule, facts)),
  });
  return { ...test, catches: (facts) => anyOf([test.catches(facts), ...(facts.isGlobPath(key) ? byGlob(facts) : [])]) };

  /** A search certainly finds a file if it names it, and perhaps if a wildcard matches. */
  function byGlob(facts: CallFacts): Match[] {
    const places = placesOf(rule, facts);
    return facts.globs.flatMap(({ named, files }) => [
      ...named.map((path) => matcher.catches(facts.path(path), places)),
      ...files.map((file) => matcher.catchesName(file)),
    ]);
  }
}

/** A project's rule is relative to that project, any other to the session's project. */
function placesOf(rule: JudgedRule, facts: CallFacts): PathRoots {
  const { project, cwd, home } = facts.call;
  const base = rule.scope === 'project' ? rule.project : (project ?? cwd);
  return {
    realPath: facts.io.realPath,
    home: home === undefined ? undefined : facts.path(home),
    base: base === undefined ? undefined : facts.path(base),
  };
}

function urlTest(key: string, pattern: string, { wide }: { wide: boolean }): ParameterTest {
  const matcher = urlMatcher(pattern, { wide });
  return testOf(key, matcher.globs, {
    allows: (value, facts) => !facts.isTooLong(value) && matcher.allows(facts.url(value)),
    catches: (value, facts) => (matcher.catches(facts.url(value)) ? 'yes' : 'no'),
  });
}

function textTest(key: string, pattern: string): ParameterTest {
  const globs = textGlobs(pattern);
  const found = (value: string, facts: CallFacts) => (facts.isTooLong(value) ? 'gave up' : search(globs, [value]));
  return testOf(key, globs, {
    allows: (value, facts) => typeof found(value, facts) === 'object',
    catches(value, facts) {
      const one = found(value, facts);
      if (one === 'gave up') return 'maybe';
      return one ? 'yes' : 'no';
    },
  });
}

function testOf(
  key: string,
  globs: Glob[],
  one: { allows(value: string, facts: CallFacts): boolean; catches(value: string, facts: CallFacts): Match },
): ParameterTest {
  return {
    key,
    globs,
    allows(facts) {
      const values = facts.values(key);
      return values.length > 0 && values.every((value) => value !== undefined && one.allows(value, facts));
    },
    catches: (facts) =>
      anyOf(facts.values(key).map((value) => (value === undefined ? 'maybe' : one.catches(value, facts)))),
  };
}
