import { Automaton, type Token } from './automaton.ts';
import { InvalidPattern } from './invalid-pattern.ts';

/** How much of a pattern may lie between its first and its last wildcard, so that no text makes it slow. */
const MAX_BETWEEN_WILDCARDS = 500;

/** One alternative of a pattern, compiled once. */
export class Glob {
  readonly tokens: Token[];
  /** What every match starts with. */
  readonly prefix: string;
  readonly #suffix: string;
  readonly #isLiteral: boolean;
  readonly #isOpen: boolean;
  readonly #middle: Automaton | undefined;
  #whole: Automaton | undefined;

  constructor(tokens: Token[], pattern: string) {
    this.tokens = tokens;
    const first = tokens[0];
    const last = tokens.at(-1);
    this.prefix = typeof first === 'string' ? first : '';
    this.#isLiteral = tokens.every((token) => typeof token === 'string');
    this.#suffix = !this.#isLiteral && typeof last === 'string' ? last : '';
    const middle = tokens.slice(this.prefix ? 1 : 0, this.#suffix ? -1 : undefined);
    const size = middle.reduce((sum, token) => sum + (typeof token === 'string' ? token.length : 1), 0);
    if (size > MAX_BETWEEN_WILDCARDS) {
      throw new InvalidPattern(pattern, `has more than ${MAX_BETWEEN_WILDCARDS} characters between its wildcards`);
    }
    const [only] = middle;
    this.#isOpen = middle.length === 1 && typeof only === 'object' && only.many && only.stops === '';
    this.#middle = this.#isLiteral || this.#isOpen ? undefined : new Automaton(middle);
  }

  matches(text: string): boolean {
    if (this.#isLiteral) return text === this.prefix;
    if (text.length < this.prefix.length + this.#suffix.length) return false;
    if (!text.startsWith(this.prefix) || !text.endsWith(this.#suffix)) return false;
    if (this.#isOpen) return true;
    return this.#middle!.matches(text, { from: this.prefix.length, to: text.length - this.#suffix.length });
  }

  /** Whether some value of the unknown parts of the text would make it match. `known` is what comes before them. */
  couldMatch(text: string, known: string): boolean {
    if (!known.startsWith(this.prefix) && !this.prefix.startsWith(known)) return false;
    this.#whole ??= new Automaton(this.tokens);
    return this.#whole.matches(text, { couldBe: true });
  }
}
