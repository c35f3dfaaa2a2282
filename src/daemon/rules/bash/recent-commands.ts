import type { Surroundings } from '../resolve-path.ts';
import { CommandFacts } from './command-facts.ts';
import type { ParseBash } from './grammar.ts';

const MAX_KEPT = 200;
const MAX_KEPT_LENGTH = 2000;
const recent = new WeakMap<ParseBash, Map<string, CommandFacts>>();

/** A call is checked before the client's own rules and again when it asks, and agents repeat themselves. */
export function commandFacts(command: string, parse: ParseBash, around: Surroundings): CommandFacts {
  if (command.length > MAX_KEPT_LENGTH) return new CommandFacts(command, parse, around);
  const key = `${command.length}:${command}${JSON.stringify([around.cwd, around.home])}`;
  const kept = recent.get(parse) ?? new Map<string, CommandFacts>();
  recent.set(parse, kept);
  const known = kept.get(key);
  // a text that couldn't be parsed in time may be parsed the next time
  if (known && !known.gaveUp) return known;
  const facts = new CommandFacts(command, parse, around);
  if (!known && kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, facts);
  return facts;
}
