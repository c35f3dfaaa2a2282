import { setImmediate as nextTurn } from 'node:timers/promises';
import { maskDeep } from './mask-secrets.ts';

const TURN_MS = 5;

/** The same JSON with secrets masked, a few milliseconds at a time: ten thousand entries at once would stall every hook. */
export async function maskJson(text: string): Promise<string> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(maskDeep(value));
  const fields: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    const [[masked] = []] = Object.entries(maskDeep({ [name]: null }));
    const key = JSON.stringify(masked ?? name);
    const json = Array.isArray(field)
      ? `[${(await maskEach(field, (entry) => maskUnder(name, entry))).join(',')}]`
      : maskUnder(name, field);
    fields.push(`${key}:${json}`);
  }
  return `{${fields.join(',')}}`;
}

/** Masks each entry, with pauses for other work. */
export async function maskEach<T, R>(entries: T[], mask: (entry: T) => R): Promise<R[]> {
  const masked: R[] = [];
  let turn = performance.now();
  for (const entry of entries) {
    masked.push(mask(entry));
    if (performance.now() - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
  return masked;
}

/** A value alone doesn't say what it is, so its name is included. */
function maskUnder(name: string, value: unknown): string {
  return JSON.stringify(Object.values(maskDeep({ [name]: value }))[0]) ?? 'null';
}
