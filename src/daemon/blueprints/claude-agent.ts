import { basename } from 'node:path';
import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import { BLUEPRINT_NAME, BlueprintConfig, type BlueprintProblem, PERMISSION_MODES } from '../../contract/blueprints.ts';

interface ClaudeAgent {
  /** null: Claude Code silently ignores the file. */
  config: BlueprintConfig | null;
  name: string;
  systemPrompt: string;
  problems: BlueprintProblem[];
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/;

/** A Claude Code agent: Markdown with YAML front matter. */
export function readClaudeAgent(path: string, text: string): ClaudeAgent {
  const file = basename(path);
  const name = file.replace(/\.md$/, '');
  const problems: BlueprintProblem[] = [];
  const note = (message: string, severity: BlueprintProblem['severity'], line = 1, column = 1, field?: string) =>
    problems.push({ severity, file, line, column, path: field ? [field] : [], message });

  const found = FRONTMATTER.exec(text);
  if (!found) {
    note('It has no YAML front matter between "---" lines, so Claude Code ignores it.', 'error');
    return { config: null, name, systemPrompt: text, problems };
  }
  const lines = new LineCounter();
  const yaml = parseDocument(found[1]!, { lineCounter: lines });
  // The first line of the file is the "---".
  const at = (offset: number) => ({ line: lines.linePos(offset).line + 1, column: lines.linePos(offset).col });
  const [broken] = yaml.errors;
  if (broken || !isMap(yaml.contents)) {
    const { line, column } = at(broken?.pos[0] ?? 0);
    const why = broken?.message.split('\n')[0]?.replace(/ at line .*$/, '') ?? 'it must be a list of fields';
    note(`This YAML can't be read, so Claude Code ignores the file: ${why}`, 'error', line, column);
    return { config: null, name, systemPrompt: text.slice(found[0].length), problems };
  }
  const map = yaml.contents;
  const fields = toFields(yaml);
  if (!fields) {
    note('This YAML has too many aliases.', 'error', 2);
    return { config: null, name, systemPrompt: text.slice(found[0].length), problems };
  }
  const noteField = (field: string, message: string, severity: BlueprintProblem['severity'] = 'error') => {
    const key = map.items.find(({ key }) => String(key) === field)?.key as
      | { range?: [number, number, number] }
      | undefined;
    const { line, column } = key?.range ? at(key.range[0]) : { line: 1, column: 1 };
    note(message, severity, line, column, field);
  };

  const own = textOf(fields.name);
  if (!own) noteField('name', 'It has no name, so Claude Code ignores it.');
  else if (!BLUEPRINT_NAME.test(own)) noteField('name', `"${own}" must be 1 to 60 letters, digits, "-" and "_".`);
  const description = textOf(fields.description);
  if (!description) noteField('description', 'It has no description, so Claude Code ignores it.');
  const mode = textOf(fields.permissionMode);
  const permissionMode = PERMISSION_MODES.find((one) => one === mode);
  if (mode && !permissionMode) noteField('permissionMode', `Use one of ${PERMISSION_MODES.join(', ')}.`);
  const model = textOf(fields.model);
  const config = BlueprintConfig.safeParse({
    name: own,
    description,
    ...(model && model !== 'inherit' ? { model } : {}),
    ...(permissionMode ? { permissionMode } : {}),
    ...(fields.tools === undefined ? {} : { tools: listOf(fields.tools) }),
    ...(fields.disallowedTools === undefined ? {} : { deniedTools: listOf(fields.disallowedTools) }),
  });
  if (!config.success && problems.length === 0)
    for (const {
      path: [field = ''],
      message,
    } of config.error.issues)
      noteField(String(field), `${message}.`);
  const isBroken = problems.some(({ severity }) => severity === 'error');
  return {
    config: isBroken ? null : (config.data ?? null),
    name: own || name,
    systemPrompt: text.slice(found[0].length).replace(/^\s*\n/, ''),
    problems,
  };
}

/** A few lines of nested aliases would expand to gigabytes. */
function toFields(yaml: Document): Record<string, unknown> | undefined {
  try {
    return yaml.toJS({ maxAliasCount: 10 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return undefined;
  }
}

/** `Read, Grep` and a YAML list mean the same. */
function listOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value.map(String) : splitTools(textOf(value));
  return items.map((item) => item.trim()).filter(Boolean);
}

/** Splits at commas outside parentheses: `Bash(git log, git diff)` is one item. */
function splitTools(text: string): string[] {
  return text.match(/(?:\([^)]*\)|[^,(])+/g) ?? [];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
