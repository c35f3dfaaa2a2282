import type { Glob } from './glob.ts';

interface Entry<T> {
  item: T;
  globs: Glob[];
}

const FEW = 8;

/**
 * Finds the few patterns of many that could match a text: each is indexed by a trigram that every match must contain, the rarest one among
 * all patterns. Case is ignored, so it serves both kinds of matching.
 */
export class TextIndex<T> {
  readonly #filed = new Map<number, T[]>();
  readonly #loose: T[] = [];

  constructor(entries: Entry<T>[]) {
    const keyed = entries.map(({ item, globs }) => ({ item, keys: globs.map(triplesOf) }));
    const counts = new Map<number, number>();
    for (const { keys } of keyed) for (const key of keys.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const { item, keys } of keyed) {
      if (entries.length <= FEW || keys.some((each) => each.length === 0)) {
        this.#loose.push(item);
        continue;
      }
      for (const each of keys)
        this.#file(
          each.reduce((a, b) => (counts.get(b)! < counts.get(a)! ? b : a)),
          item,
        );
    }
  }

  #file(key: number, item: T): void {
    const filed = this.#filed.get(key);
    if (!filed) this.#filed.set(key, [item]);
    else if (filed.at(-1) !== item) filed.push(item);
  }

  collect(texts: string[], found: Set<T>): void {
    for (const item of this.#loose) found.add(item);
    if (this.#filed.size === 0) return;
    for (const text of texts) {
      for (let at = 2; at < text.length; at++) {
        for (const item of this.#filed.get(triple(text, at)) ?? []) found.add(item);
      }
    }
  }
}

function triplesOf(glob: Glob): number[] {
  return glob.tokens.flatMap((token) =>
    typeof token === 'string'
      ? Array.from({ length: Math.max(0, token.length - 2) }, (_, at) => triple(token, at + 2))
      : [],
  );
}

function triple(text: string, last: number): number {
  const letter = (at: number) => {
    const code = text.charCodeAt(at);
    return code >= 65 && code <= 90 ? code + 32 : code;
  };
  return (letter(last - 2) * 31 + letter(last - 1)) * 31 + letter(last);
}
