import { CliError, EXIT } from './exit.ts';

/** `--param` may be repeated. */
export function collectParameters(text: string, known: string[]): string[] {
  if (!/^[^=]+?:?=/.test(text)) throw new CliError(`--param takes KEY=VALUE, not ${JSON.stringify(text)}`, EXIT.usage);
  return [...known, text];
}

/**
 * `key=value` is text, unless the schema wants something else; `key:=json` is always JSON. A value that isn't JSON stays text, and the
 * schema says what is wrong with it.
 */
export function readParameters(texts: string[], schema: Record<string, unknown> | undefined): Record<string, unknown> {
  const properties = (schema?.properties ?? {}) as Record<string, { type?: unknown } | undefined>;
  return Object.fromEntries(
    texts.map((text) => {
      const [, key = '', colon, value = ''] = /^([^=]+?)(:?)=([\s\S]*)$/.exec(text) ?? [];
      if (colon) return [key, parseJson(key, value)];
      const type = properties[key]?.type;
      const isText = type === undefined || [type].flat().includes('string');
      return [key, isText ? value : (tryJson(value) ?? value)];
    }),
  );
}

function parseJson(key: string, text: string): unknown {
  const value = tryJson(text);
  if (value === undefined) throw new CliError(`--param ${key}:=… takes JSON, not ${JSON.stringify(text)}`, EXIT.usage);
  return value;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
