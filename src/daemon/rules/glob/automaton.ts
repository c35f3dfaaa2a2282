import { FOUND, UNKNOWN } from '../marks.ts';

/** A wildcard and the characters it stops at. */
export interface Gap {
  many: boolean;
  stops: string;
}
export type Token = string | Gap;

interface Step {
  /** Tokens that take this character and advance to the next token. */
  advance: Uint32Array;
  /** Tokens (`*`) that take it and stay. */
  stay: Uint32Array;
}

const UNKNOWN_CODE = UNKNOWN.charCodeAt(0);
const FOUND_CODE = FOUND.charCodeAt(0);

/**
 * Matches tokens against text in one pass, with all possible match positions as bits: the time is text × tokens / 32 for any pattern, while
 * a backtracking matcher can be made to run forever.
 */
export class Automaton {
  readonly #size: number;
  readonly #words: number;
  readonly #steps = new Map<number, Step>();
  readonly #other: Step;
  readonly #gaps: Uint32Array;
  readonly #endsOpen: boolean;
  readonly #units: (number | Gap)[];
  #reach: number[] | undefined;

  constructor(tokens: Token[]) {
    const units = tokens.flatMap((token): (number | Gap)[] =>
      typeof token === 'string' ? Array.from({ length: token.length }, (_, at) => token.charCodeAt(at)) : [token],
    );
    this.#units = units;
    const last = units.at(-1);
    this.#size = units.length;
    this.#words = (units.length >> 5) + 1;
    this.#gaps = this.#bits(units, (unit) => typeof unit === 'object' && unit.many);
    this.#endsOpen = typeof last === 'object' && last.many && last.stops === '';
    const stepFor = (code: number | null): Step => {
      const takes = (unit: number | Gap) =>
        typeof unit === 'number' ? unit === code : code === null || !unit.stops.includes(String.fromCharCode(code));
      return {
        advance: this.#bits(units, (unit) => !(typeof unit === 'object' && unit.many) && takes(unit)),
        stay: this.#bits(units, (unit) => typeof unit === 'object' && unit.many && takes(unit)),
      };
    };
    for (const unit of units) {
      const codes = typeof unit === 'number' ? [unit] : [...unit.stops].map((char) => char.charCodeAt(0));
      for (const code of codes) if (!this.#steps.has(code)) this.#steps.set(code, stepFor(code));
    }
    this.#other = stepFor(null);
  }

  #bits(units: (number | Gap)[], include: (unit: number | Gap) => boolean): Uint32Array {
    const bits = new Uint32Array(this.#words);
    for (const [at, unit] of units.entries()) if (include(unit)) bits[at >> 5]! |= 1 << (at & 31);
    return bits;
  }

  /**
   * With `couldBe`, UNKNOWN in the text may be anything, and FOUND may be part of what the pattern spells out, though not a whole segment
   * (or every `ls *.ts` might be about `*secret*`). Without it, only a `*` without stops covers them.
   */
  matches(text: string, { from = 0, to = text.length, couldBe = false } = {}): boolean {
    return this.#words === 1 ? this.#matchNarrow(text, from, to, couldBe) : this.#matchWide(text, from, to, couldBe);
  }

  #matchNarrow(text: string, from: number, to: number, couldBe: boolean): boolean {
    const gaps = this.#gaps[0]!;
    const end = 1 << this.#size;
    const open = this.#endsOpen ? end >>> 1 : 0;
    let places = 1;
    places |= (places & gaps) << 1;
    for (let at = from; at < to; at++) {
      if (places & open) return true;
      const code = text.charCodeAt(at);
      if (couldBe && code === UNKNOWN_CODE) {
        // from the earliest position on, some text leads to every later one
        places |= -(places & -places);
        continue;
      }
      if (couldBe && code === FOUND_CODE) {
        places = this.#spread([places])[0]!;
        continue;
      }
      const step = this.#steps.get(code) ?? this.#other;
      places = ((places & step.advance[0]!) << 1) | (places & step.stay[0]!);
      if (places === 0) return false;
      places |= (places & gaps) << 1;
    }
    return (places & end) !== 0;
  }

  #matchWide(text: string, from: number, to: number, couldBe: boolean): boolean {
    const words = this.#words;
    const gaps = this.#gaps;
    const places = new Uint32Array(words);
    const has = (bit: number) => (places[bit >> 5]! & (1 << (bit & 31))) !== 0;
    const skipGaps = () => {
      let carry = 0;
      for (let word = 0; word < words; word++) {
        const skipped = places[word]! & gaps[word]!;
        places[word]! |= (skipped << 1) | carry;
        carry = skipped >>> 31;
      }
      // two gaps are never adjacent, so one step is enough
    };
    places[0] = 1;
    skipGaps();
    for (let at = from; at < to; at++) {
      if (this.#endsOpen && has(this.#size - 1)) return true;
      const code = text.charCodeAt(at);
      if (couldBe && code === UNKNOWN_CODE) {
        fillUpwards(places);
        continue;
      }
      if (couldBe && code === FOUND_CODE) {
        places.set(this.#spread(places));
        continue;
      }
      const step = this.#steps.get(code) ?? this.#other;
      let carry = 0;
      let any = 0;
      for (let word = 0; word < words; word++) {
        const moved = places[word]! & step.advance[word]!;
        const next = (moved << 1) | carry | (places[word]! & step.stay[word]!);
        carry = moved >>> 31;
        places[word] = next;
        any |= next;
      }
      if (any === 0) return false;
      skipGaps();
    }
    return has(this.#size);
  }

  #spread(places: ArrayLike<number>): Uint32Array {
    this.#reach ??= reachOf(this.#units);
    const spread = new Uint32Array(this.#words);
    for (let place = 0; place <= this.#size; place++) {
      if (!(places[place >> 5]! & (1 << (place & 31)))) continue;
      for (let to = place; to <= this.#reach[place]!; to++) spread[to >> 5]! |= 1 << (to & 31);
    }
    return spread;
  }
}

/** From each position, the furthest one without a whole segment of literal text in between. */
function reachOf(units: (number | Gap)[]): number[] {
  const reach = [units.length];
  for (let place = units.length - 1; place >= 0; place--) {
    const startsLiteral = typeof units[place] === 'number' && typeof units[place - 1] !== 'number';
    let end = place;
    while (startsLiteral && typeof units[end] === 'number') end++;
    reach.unshift(startsLiteral ? end - 1 : reach[0]!);
  }
  return reach;
}

function fillUpwards(places: Uint32Array): void {
  let filled = false;
  for (let word = 0; word < places.length; word++) {
    if (filled) places[word] = 0xffffffff;
    else if (places[word] !== 0) {
      places[word]! |= -(places[word]! & -places[word]!);
      filled = true;
    }
  }
}
