import { checkInThread, type SchemaError } from './schema-thread.ts';

const REMEMBERED = 500;
const known = new Map<string, SchemaError[]>();

/** Problems in a JSON Schema itself: draft 7, or 2020-12 if it says so. */
export async function checkSchema(schema: Record<string, unknown>): Promise<SchemaError[]> {
  const key = JSON.stringify(schema);
  const before = known.get(key);
  if (before) return before;
  const errors = await checkInThread({ schema });
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, errors);
  return errors;
}

/** Why a value doesn't match a schema. Empty: it does. */
export function checkValue(
  schema: Record<string, unknown>,
  value: unknown,
  options: { limitMs?: number } = {},
): Promise<SchemaError[]> {
  return checkInThread({ schema, value: { is: value } }, options);
}
