import { exactLine, exactText } from './exact-pattern.ts';
import type { RulePattern } from './rules.ts';

/** The parameter that says what a call of this tool is about. */
export const ABOUT: Record<string, string> = {
  Bash: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  Write: 'file_path',
  NotebookRead: 'notebook_path',
  NotebookEdit: 'notebook_path',
  WebFetch: 'url',
};

/**
 * The shape of a call, as a rule would name it: the constant words, and a star for those that vary. Only a suggestion, based on the text alone; the
 * daemon's own version parses commands.
 */
export function shapeOf({ toolName, toolInput }: { toolName: string; toolInput: Record<string, unknown> }): string {
  const key = ABOUT[toolName];
  const value = key ? toolInput[key] : undefined;
  if (typeof value !== 'string' || value === '') return '*';
  if (key === 'command') return commandShape(value.trim());
  if (key === 'url') return URL.canParse(value) ? `${exactText(new URL(value).origin)}/*` : exactText(value);
  const folder = folderOf(value);
  return `${folder === '/' ? '' : exactText(folder)}/*${exactText(extensionOf(value))}`;
}

function folderOf(path: string): string {
  const end = path.replace(/\/+$/, '').lastIndexOf('/');
  if (end < 0) return '.';
  return path.slice(0, end).replace(/\/+$/, '') || '/';
}

function extensionOf(path: string): string {
  return /[^/](\.[^./]+)$/.exec(path)?.[1] ?? '';
}

/** The pattern equivalent to a shape. */
export function shapePattern(toolName: string, shape: string): RulePattern {
  const key = ABOUT[toolName];
  return { toolName: exactText(toolName), parameters: key && shape !== '*' ? { [key]: shape } : {} };
}

function commandShape(command: string): string {
  // more than one plain command: only this exact line is similar
  if (/[;&|<>$`\n(){}*?\\'"]/.test(command)) return exactLine(command);
  const [program = '', second = '', ...rest] = command.split(/\s+/);
  if (!/^[a-z][\w:-]*$/.test(second)) return second ? `${program} *` : program;
  const isScript = ['npm', 'pnpm', 'yarn', 'bun'].includes(program) && second === 'run';
  return rest.length > 0 || isScript ? `${program} ${second} *` : `${program} ${second}`;
}
