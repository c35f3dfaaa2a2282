/** JSON types of a tool's fields. A question mark means optional. */
type Fields = Record<string, JsonType | `${JsonType}?`>;
type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** As the client checks them: it denies a call whose edited input fails, and tells the model a hook made a mistake. */
const TOOLS: Record<string, Fields> = {
  Agent: { description: 'string', prompt: 'string', subagent_type: 'string?', run_in_background: 'boolean?' },
  Bash: { command: 'string', timeout: 'number?', description: 'string?', run_in_background: 'boolean?' },
  Edit: { file_path: 'string', old_string: 'string', new_string: 'string', replace_all: 'boolean?' },
  Glob: { pattern: 'string', path: 'string?' },
  Grep: { pattern: 'string', path: 'string?', glob: 'string?', type: 'string?', head_limit: 'number?' },
  MultiEdit: { file_path: 'string', edits: 'array' },
  NotebookEdit: { notebook_path: 'string', new_source: 'string', cell_id: 'string?' },
  Read: { file_path: 'string', offset: 'number?', limit: 'number?', pages: 'string?' },
  Task: { description: 'string', prompt: 'string', subagent_type: 'string?' },
  WebFetch: { url: 'string', prompt: 'string' },
  WebSearch: { query: 'string', allowed_domains: 'array?', blocked_domains: 'array?' },
  Write: { file_path: 'string', content: 'string' },
};

/** May be empty: file content or replacement text. All others name something. */
const MAY_BE_EMPTY = new Set(['content', 'new_string', 'new_source', 'description']);

/**
 * Why the client wouldn't run the call with this input. undefined: no reason we know of. For tools that aren't in the table, or differ from
 * it, fields must keep their types.
 */
export function findInputProblem(
  { toolName, toolInput }: { toolName: string; toolInput: Record<string, unknown> },
  updated: Record<string, unknown>,
): string | undefined {
  // The client would treat it as unchanged and run the original call.
  if (Object.keys(updated).length === 0) return 'The edited input is empty.';
  const known = TOOLS[toolName];
  const isAsKnown = known !== undefined && findProblem(toolName, known, toolInput) === undefined;
  return findProblem(toolName, isAsKnown ? known : typesOf(toolInput), updated);
}

function findProblem(toolName: string, fields: Fields, input: Record<string, unknown>): string | undefined {
  for (const [name, wanted] of Object.entries(fields)) {
    const value = input[name];
    const type = wanted.replace('?', '');
    if (value === undefined) {
      if (!wanted.endsWith('?')) return `${toolName} needs "${name}".`;
    } else if (typeOf(value) !== type) {
      return `"${name}" of ${toolName} must be ${article(type)}, not ${article(typeOf(value))}.`;
    } else if (value === '' && !wanted.endsWith('?') && !MAY_BE_EMPTY.has(name)) {
      return `"${name}" of ${toolName} must not be empty.`;
    }
  }
  return undefined;
}

function typesOf(input: Record<string, unknown>): Fields {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, `${typeOf(value)}?` as const]));
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[ao]/.test(type) ? `an ${type}` : `a ${type}`;
}
