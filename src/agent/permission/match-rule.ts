import { resolve } from 'node:path';
import type { CallToDecide } from './decision.ts';
import { realPath } from './real-path.ts';

type Call = Pick<CallToDecide, 'name' | 'input'>;

/** The text that a rule's argument is compared with. */
const ABOUT: Record<string, string> = {
  Bash: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  WebFetch: 'url',
};

/** `Tool`, `Tool(exact text)` or `Tool(prefix:*)`. */
function parse(rule: string): { name: string; text: string | null; isPrefix: boolean } {
  const [, name = rule, text] = /^([^()]+)\(([\s\S]*)\)$/.exec(rule.trim()) ?? [];
  if (text === undefined || text === '*') return { name, text: null, isPrefix: false };
  return text.endsWith(':*') ? { name, text: text.slice(0, -2), isPrefix: true } : { name, text, isPrefix: false };
}

/**
 * Deliberately narrow: a prefix only matches a plain command. Chains, substitutions, redirections and a non-default shell need an exact
 * rule. The daemon's rules parse Bash and are more precise; this one is for a session without a daemon.
 */
export function allows(rule: string, call: Call, cwd: string): boolean {
  const { name, text, isPrefix } = parse(rule);
  if (name !== call.name) return false;
  if (text === null) return true;
  const value = subjectOf(call);
  if (value === undefined || call.input.shellExecutable !== undefined) return false;
  if (isAboutPath(name)) return matchesPath(value, text, isPrefix, cwd);
  if (!isPrefix) return value === text;
  return isPlain(value) && startsWithWords(value, text);
}

/** Deliberately wide: matches any part of a command line. */
export function denies(rule: string, call: Call, cwd: string): boolean {
  const { name, text, isPrefix } = parse(rule);
  if (name !== call.name) return false;
  if (text === null) return true;
  const value = subjectOf(call);
  if (value === undefined) return true;
  if (isAboutPath(name)) return value === text || matchesPath(value, text, isPrefix, cwd);
  const parts = call.name === 'Bash' ? [value, ...value.split(/[;&|\n(){}`$<>]+/).map((part) => part.trim())] : [value];
  return parts.some((part) => part === text || (isPrefix && startsWithWords(part, text)));
}

function isAboutPath(name: string): boolean {
  return ABOUT[name] === 'file_path';
}

/** By where both lead: `src/../../x` is not below `src/`, and `./.env` is `.env`. A beginning is a folder, also as `src/**`. */
function matchesPath(value: string, text: string, isPrefix: boolean, cwd: string): boolean {
  const folder = text.replace(/(^|\/)\*\*$/, '');
  const [path, wanted] = [value, folder].map((one) => realPath(resolve(cwd, one))) as [string, string];
  return path === wanted || ((isPrefix || folder !== text) && path.startsWith(wanted === '/' ? '/' : `${wanted}/`));
}

function subjectOf({ name, input }: Call): string | undefined {
  const value = input[ABOUT[name] ?? ''];
  return typeof value === 'string' ? value.trim() : undefined;
}

function isPlain(command: string): boolean {
  return !/[;&|<>$`\n(){}\\'"*?#~]/.test(command) && !/^\S*=/.test(command);
}

function startsWithWords(value: string, beginning: string): boolean {
  return (
    value === beginning ||
    value.startsWith(`${beginning.trimEnd()} `) ||
    (beginning.endsWith('/') && value.startsWith(beginning))
  );
}
