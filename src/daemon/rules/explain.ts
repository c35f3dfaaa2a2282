import { asTyped } from './bash/simple-command.ts';
import type { CallFacts } from './call-facts.ts';
import type { JudgedRule } from './compile-rule.ts';
import { OPTION, WORD_BREAK } from './marks.ts';
import type { CommandMatcher } from './match-command.ts';
import type { RankedRule } from './rule-set.ts';

/** A rule's name in a sentence: its reason, or else its pattern. */
export function nameOf({ reason, pattern }: Pick<JudgedRule, 'reason' | 'pattern'>): string {
  if (reason) return `“${reason}”`;
  const parameters = Object.values(pattern.parameters);
  return `“${[pattern.toolName, ...(parameters.length > 0 ? [parameters.join(', ')] : [])].join(': ')}”`;
}

/** The part of the call that made this rule match, next to the rule's text. */
export function matchOf({ rule, command, tests }: RankedRule, facts: CallFacts): string {
  const { toolName, parameters } = rule.pattern;
  if (command) {
    const text = facts
      .values(command.key)
      .map((value) => (value === undefined ? '' : command.matcher.catches(facts.command(value)).text))
      .find((each) => each !== '');
    return text === undefined ? 'its command' : `\`${typed(text)}\` matches \`${parameters[command.key]}\``;
  }
  const [test] = tests;
  if (!test)
    return toolName === facts.call.toolName
      ? `it is about every ${toolName}`
      : `${facts.call.toolName} matches \`${toolName}\``;
  const [value = ''] = facts.values(test.key);
  return `${test.key} \`${shorten(value)}\` matches \`${parameters[test.key]}\``;
}

/** Why a rule may apply to a call, but not certainly. */
export function doubtOf({ command, tests }: RankedRule, facts: CallFacts): string {
  const suspect =
    command &&
    facts
      .values(command.key)
      .map((value) => suspectIn(value, command.matcher, facts))
      .find(Boolean);
  if (suspect) return `it may run \`${typed(suspect)}\``;
  const hasCode =
    command && facts.values(command.key).some((value) => value && facts.command(value).exposure.foreign.length);
  const doubts = [...(command ? [command.key] : []), ...tests.map(({ key }) => key)].map((key) => facts.doubtAt(key));
  const known = doubts.find((doubt) => doubt !== undefined);
  return known ?? (hasCode ? 'it runs code in another language' : 'some of its words are only known when it runs');
}

/** Arguments that may be a command the rule would match. */
function suspectIn(value: string | undefined, matcher: CommandMatcher, facts: CallFacts): string | undefined {
  if (value === undefined) return undefined;
  const about = facts.command(value);
  const { verdict, text } = matcher.catches(about);
  return verdict === 'maybe' && (about.suspects.includes(text) || about.pieces.includes(text)) ? text : undefined;
}

function typed(text: string): string {
  return asTyped(text.replaceAll(OPTION, '').split(WORD_BREAK));
}

function shorten(value: string): string {
  const shown = value.replace(/\s+/g, ' ');
  return shown.length <= 80 ? shown : `${shown.slice(0, 79).toWellFormed()}…`;
}
