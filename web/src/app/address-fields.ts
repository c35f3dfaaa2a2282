type Field<T> = (value: unknown) => T | undefined;

/** Drops invalid values from an address, so a link that was shortened by hand still opens its page. */
export function searchOf<F extends Record<string, Field<unknown>>>(fields: F) {
  return (search: Record<string, unknown>) => {
    const kept = Object.entries(fields).map(([name, read]) => [name, read(search[name])]);
    return Object.fromEntries(kept) as { [K in keyof F]?: ReturnType<F[K]> };
  };
}

export const text: Field<string> = (value) => (typeof value === 'string' ? value : undefined);

export const flag: Field<true> = (value) => (value === true ? true : undefined);

export function oneOf<const T extends readonly string[]>(values: T): Field<T[number]> {
  return (value) => values.find((known) => known === value);
}

/** Epoch milliseconds. */
export const time: Field<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
