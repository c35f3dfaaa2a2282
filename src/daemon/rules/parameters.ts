/** How a parameter is read before it is matched. */
export type ParameterKind = 'command' | 'path' | 'url' | 'text';

const COMMAND_WORDS = new Set(['command', 'cmd']);
const PATH_WORDS = new Set(['path', 'paths', 'file', 'files', 'filename', 'dir', 'directory', 'folder', 'cwd', 'root']);
const URL_WORDS = new Set(['url', 'urls', 'uri', 'href']);

/** By its name, since every tool and MCP server has its own: `file_path`, `planFilePath`, `edits.path`. */
export function kindOf(key: string): ParameterKind {
  const last = key
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word && !/^\d+$/.test(word))
    .at(-1);
  if (last === undefined) return 'text';
  if (COMMAND_WORDS.has(last)) return 'command';
  if (PATH_WORDS.has(last)) return 'path';
  return URL_WORDS.has(last) ? 'url' : 'text';
}

/**
 * The values at a dotted key: several if the path goes through lists, none if it leads nowhere, undefined for what isn't text (an object,
 * or a list item without the key). A key that itself contains a dot counts as well, so an input can't hide one value behind the other.
 */
export function valuesAt(input: Record<string, unknown>, key: string): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  collect(input, key.split('.'), found);
  if (key.includes('.') && Object.hasOwn(input, key)) collect(input[key], [], found);
  return found;
}

function collect(value: unknown, way: string[], found: (string | undefined)[]): void {
  const [name, ...rest] = way;
  if (Array.isArray(value)) {
    const isIndex = name !== undefined && /^\d+$/.test(name);
    for (const item of isIndex ? value.slice(Number(name), Number(name) + 1) : value) {
      const before = found.length;
      collect(item, isIndex ? rest : way, found);
      if (found.length === before) found.push(undefined);
    }
    return;
  }
  if (name === undefined) {
    const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (value !== undefined) found.push(isText ? String(value) : undefined);
    return;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return;
  collect((value as Record<string, unknown>)[name], rest, found);
}
