import { dirname, extname } from 'node:path/posix';
import { ABOUT } from '../../contract/call-shape.ts';
import { exactCommand, exactLine, exactText, exactWord } from '../../contract/exact-pattern.ts';
import type { RulePattern } from '../../contract/rules.ts';
import { prove } from './bash/prove.ts';
import { isKnown } from './marks.ts';

export interface ShapedCall {
  toolName: string;
  toolInput: Record<string, unknown>;
}

/** Programs whose next word says what they do. */
const HAS_SUBCOMMANDS = new Set(
  (
    'npm pnpm yarn bun npx git gh cargo go docker podman kubectl make pip pip3 uv poetry brew apt apt-get systemctl ' +
    'terraform aws gcloud az dotnet mvn gradle bundle rails rake composer mix deno just task turbo nx'
  ).split(' '),
);

/** What similar calls have in common: `npm run *`. It is a pattern a rule can use: the constant words, and a star for those that vary. */
export function shapeOf({ toolName, toolInput }: ShapedCall): string {
  const key = ABOUT[toolName];
  const value = key ? toolInput[key] : undefined;
  if (typeof value !== 'string' || value === '') return '*';
  if (key === 'command') return commandShape(value);
  if (key === 'url') return URL.canParse(value) ? `${exactText(new URL(value).origin)}/*` : exactText(value);
  const folder = dirname(value);
  return `${folder === '/' ? '' : exactText(folder)}/*${exactText(extname(value))}`;
}

/** A rule for exactly this call; undefined if a rule can't be that exact. */
export function exactPattern({ toolName, toolInput }: ShapedCall): RulePattern | undefined {
  const key = ABOUT[toolName];
  const value = key ? toolInput[key] : undefined;
  if (!key || typeof value !== 'string') return undefined;
  const pattern = key === 'command' ? exactCommandPattern(value) : exactText(value);
  return pattern === undefined ? undefined : { toolName: exactText(toolName), parameters: { [key]: pattern } };
}

/** The commands in a line, without wrappers. It only names a group and decides nothing, so one parser is enough. */
export function commandsIn(line: string): { words: string[]; risks: unknown[] }[] {
  return prove(line, () => undefined).commands ?? [];
}

function commandShape(line: string): string {
  const shapes = new Set(commandsIn(line).map(({ words }) => wordsShape(words)));
  const [only] = shapes;
  // for several different commands, and for what can't be proven, only this exact line counts as similar
  return shapes.size === 1 && only !== undefined ? only : exactLine(line);
}

function wordsShape(words: string[]): string {
  const count = keptWords(words);
  const kept = words.slice(0, count).map(exactWord).join(' ');
  return words.length > count || isScript(words) ? `${kept} *` : kept;
}

function keptWords(words: string[]): number {
  const [program = '', subcommand = ''] = words;
  if (/^python[\d.]*$/.test(program) && subcommand === '-m') return 3;
  return HAS_SUBCOMMANDS.has(program) && /^\w/.test(subcommand) && isKnown(subcommand) ? 2 : 1;
}

function isScript([program = '', subcommand]: string[]): boolean {
  return ['npm', 'pnpm', 'yarn', 'bun'].includes(program) && subcommand === 'run';
}

function exactCommandPattern(line: string): string | undefined {
  const commands = commandsIn(line);
  const [command] = commands;
  return commands.length === 1 && command?.words.every(isKnown) ? exactCommand(command.words) : undefined;
}
