import type { Gap, Token } from './automaton.ts';

/** The maximum length of a segment with `?`: its positions have to fit into one number. */
export const MAX_WITH_GAPS = 31;
/** Up to this length, the engine's own search takes linear time on any text; measured, at twice this it doesn't. */
const MAX_NATIVE = 200;

/** The part of a pattern between two `*`: text, and `?`. */
export class GlobSegment {
  readonly length: number;
  readonly hasGaps: boolean;
  readonly #units: (number | Gap)[];
  readonly #text: string;
  #borders: Uint16Array | undefined;
  #masks: Map<number, number> | undefined;
  #gapMask = 0;

  constructor(tokens: Token[]) {
    this.#units = tokens.flatMap((token): (number | Gap)[] =>
      typeof token === 'string' ? Array.from({ length: token.length }, (_, at) => token.charCodeAt(at)) : [token],
    );
    this.length = this.#units.length;
    this.#text = tokens.filter((token) => typeof token === 'string').join('');
    this.hasGaps = this.#units.some((unit) => typeof unit === 'object');
  }

  matchesAt(text: string, from: number): boolean {
    if (!this.hasGaps) return text.startsWith(this.#text, from);
    return this.#units.every((unit, at) => takes(unit, text.charCodeAt(from + at)));
  }

  /** Where it first ends, or -1. Linear in the text, however repetitive the segment. */
  findEnd(text: string, from: number, to: number): number {
    return this.hasGaps ? this.#findWithGaps(text, from, to) : this.#findText(text, from, to);
  }

  #findText(text: string, from: number, to: number): number {
    if (this.length > MAX_NATIVE) return this.#findLongText(text, from, to);
    const found = text.indexOf(this.#text, from);
    return found === -1 || found + this.length > to ? -1 : found + this.length;
  }

  /** Knuth, Morris and Pratt. */
  #findLongText(text: string, from: number, to: number): number {
    const units = this.#units as number[];
    this.#borders ??= bordersOf(units);
    let matched = 0;
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      while (matched > 0 && units[matched] !== code) matched = this.#borders[matched - 1]!;
      if (units[matched] === code) matched++;
      if (matched === units.length) return at + 1;
    }
    return -1;
  }

  /** Every possible match position, as bits of one number. */
  #findWithGaps(text: string, from: number, to: number): number {
    this.#masks ??= this.#makeMasks();
    const done = 1 << (this.length - 1);
    let places = 0;
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      places = ((places << 1) | 1) & (this.#masks.get(code) ?? this.#gapMask);
      if (places & done) return at + 1;
    }
    return -1;
  }

  #makeMasks(): Map<number, number> {
    const masks = new Map<number, number>();
    const maskOf = (code: number | null) =>
      this.#units.reduce<number>((mask, unit, at) => (takes(unit, code) ? mask | (1 << at) : mask), 0);
    for (const unit of this.#units) {
      const codes = typeof unit === 'number' ? [unit] : [...unit.stops].map((char) => char.charCodeAt(0));
      for (const code of codes) masks.set(code, maskOf(code));
    }
    this.#gapMask = maskOf(null);
    return masks;
  }
}

/** null: a character the segment doesn't mention. */
function takes(unit: number | Gap, code: number | null): boolean {
  if (typeof unit === 'number') return unit === code;
  return code === null || !unit.stops.includes(String.fromCharCode(code));
}

function bordersOf(units: number[]): Uint16Array {
  const borders = new Uint16Array(units.length);
  for (let at = 1, length = 0; at < units.length; at++) {
    while (length > 0 && units[at] !== units[length]) length = borders[length - 1]!;
    if (units[at] === units[length]) length++;
    borders[at] = length;
  }
  return borders;
}
