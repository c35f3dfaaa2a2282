import type { RulePattern } from './rules.ts';

/** The parameter that tells what a call of this tool is about. */
const ABOUT: Record<string, string> = {
  Bash: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  WebFetch: 'url',
};

/** What a rule about calls of this shape would be called: the words that stay, and a star for those that change. */
export function shapeOf({ toolName, toolInput }: { toolName: string; toolInput: Record<string, unknown> }): string {
  const key = ABOUT[toolName];
  const value = key ? toolInput[key] : undefined;
  if (typeof value !== 'string' || value === '') return '*';
  if (key === 'command') return commandShape(value.trim());
  if (key === 'url') return URL.canParse(value) ? `${new URL(value).origin}/*` : value;
  return `${folderOf(value)}/*`;
}

function folderOf(path: string): string {
  const end = path.replace(/\/+$/, '').lastIndexOf('/');
  if (end < 0) return '.';
  return path.slice(0, end).replace(/\/+$/, '') || '/';
}

/** The pattern that says the same as a shape. */
export function shapePattern(toolName: string, shape: string): RulePattern {
  const key = ABOUT[toolName];
  return { toolName, parameters: key && shape !== '*' ? { [key]: shape } : {} };
}

function commandShape(command: string): string {
  // more than one plain command: only this very line is like it
  if (/[;&|<>$`\n(){}*?\\'"]/.test(command)) return command.slice(0, 500);
  const [program = '', second = '', ...rest] = command.split(/\s+/);
  if (!/^[a-z][\w:-]*$/.test(second)) return second ? `${program} *` : program;
  const isScript = ['npm', 'pnpm', 'yarn', 'bun'].includes(program) && second === 'run';
  return rest.length > 0 || isScript ? `${program} ${second} *` : `${program} ${second}`;
}
