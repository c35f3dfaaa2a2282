import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { DomainError } from '../errors.ts';

/** Path of a client that is not on the PATH. */
export const CLAUDE_VARIABLE = 'GROUNDCONTROL_CLAUDE';

export class ClaudeMissing extends DomainError {
  constructor(looked: string) {
    super(
      'claude.missing',
      409,
      `Claude Code was not found (${looked}). Install it: npm install -g @anthropic-ai/claude-code. ` +
        `If it is somewhere else, start the daemon with ${CLAUDE_VARIABLE}=/path/to/claude.`,
    );
  }
}

/**
 * The client that sessions use: the installed one, or else the Agent SDK's if it is installed next to us. Always absolute, because the SDK
 * requires it.
 */
export function findClaude(env: NodeJS.ProcessEnv, { besides }: { besides: string }): string {
  const named = env[CLAUDE_VARIABLE];
  if (named !== undefined && named !== '') {
    if (isAbsolute(named) && isProgram(named)) return named;
    throw new ClaudeMissing(`${CLAUDE_VARIABLE} says ${named}, which is not an absolute path to a program`);
  }
  const home = env.HOME ?? '';
  const folders = [
    ...(env.PATH ?? '').split(delimiter).filter(isAbsolute),
    ...(home ? [join(home, '.local', 'bin'), join(home, '.claude', 'local')] : []),
  ];
  const found = folders.map((folder) => join(folder, 'claude')).find(isProgram) ?? ofSdk(besides);
  if (found === undefined) throw new ClaudeMissing('not on the PATH, not in ~/.local/bin');
  return found;
}

/** The SDK's package for this platform. Too large to be one of our dependencies. */
function ofSdk(besides: string): string | undefined {
  const names = [`${process.platform}-${process.arch}`, `${process.platform}-${process.arch}-musl`];
  const require = createRequire(besides);
  for (const name of names) {
    try {
      const path = join(dirname(require.resolve(`@anthropic-ai/claude-agent-sdk-${name}/package.json`)), 'claude');
      if (isProgram(path)) return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
