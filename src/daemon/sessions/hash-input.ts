import { createHash } from 'node:crypto';

/** File content this large is hashed directly: writing it as JSON first would take three times as long. */
const LARGE_TEXT = 64 * 1024;
const known = new WeakMap<object, string>();

/** Tells two inputs of a tool apart. Most inputs are short, and then they are their own best hash. */
export function hashInput(input: unknown): string {
  if (typeof input !== 'object' || input === null) return hashOf(input, []);
  const found = known.get(input);
  if (found !== undefined) return found;
  const large = Object.entries(input).filter(([, value]) => typeof value === 'string' && value.length > LARGE_TEXT);
  // each large text is replaced by its length, so no two inputs produce the same bytes
  const lengths = Object.fromEntries(large.map(([key, { length }]) => [key, length]));
  const hash = hashOf(large.length === 0 ? input : { ...input, ...lengths }, large.flat());
  known.set(input, hash);
  return hash;
}

function hashOf(input: unknown, texts: string[]): string {
  const json = JSON.stringify(input) ?? '';
  if (json.length <= 100 && texts.length === 0) return json;
  const hash = createHash('sha1').update(json);
  for (const text of texts) hash.update(text);
  return hash.digest('base64url').slice(0, 12);
}
