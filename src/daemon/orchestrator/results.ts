import { checkValue } from '../blueprints/json-schema.ts';

/** Instructions for an agent whose answer must match a schema. */
export function schemaPrompt(prompt: string, schema: Record<string, unknown>): string {
  return `${prompt}\n\nWhen you are done, answer with just one JSON value. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
}

export interface JudgedResult {
  json?: unknown;
  problems: string[];
  /** The follow-up for an answer that doesn't match. */
  again: string;
}

/** Checks whether an answer matches its schema. */
export async function judgeResult(text: string, schema: Record<string, unknown>): Promise<JudgedResult> {
  const found = jsonIn(text);
  const problems =
    found === undefined
      ? ['it is not JSON']
      : (await checkValue(schema, found.value)).map(
          ({ path, message }) => `${path.join('.') || 'the value'} ${message}`,
        );
  const again = `Your answer doesn't match the schema: ${problems.join('; ')}. Answer again with just one JSON value that matches it.`;
  return { ...(found && problems.length === 0 ? { json: found.value } : {}), problems, again };
}

/** The answer itself, or the single code block in it: models often wrap output they were asked to leave bare. */
function jsonIn(text: string): { value: unknown } | undefined {
  const blocks = [...text.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)].map(([, inside = '']) => inside);
  for (const candidate of [text, ...(blocks.length === 1 ? blocks : [])]) {
    try {
      return { value: JSON.parse(candidate) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}
