import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { runRipgrep } from './ripgrep.ts';
import { defineTool, ok } from './tool.ts';
import type { Workspace } from './workspace.ts';

const MOST = 20_000;
const SHOWN = 200;

export function globTool(workspace: Workspace) {
  return defineTool({
    name: 'Glob',
    description: 'Find files by name, newest first. Respects .gitignore.',
    input: z.object({
      pattern: z.string().min(1).describe('**/*.ts, src/**/test-*.js'),
      path: z.string().optional().describe('Folder to search. Default: the project folder'),
    }),
    gate: 'read',
    permission: 'permission',
    async run({ pattern, path = '.' }, { signal }) {
      const cwd = workspace.resolve(path);
      const args = ['--no-config', '--files', '--hidden', '--glob=!.git', `--glob=${pattern}`];
      const { lines } = await runRipgrep(args, { cwd, most: MOST, signal });
      if (lines.length === 0) return ok('No files match.');
      const dated = await Promise.all(lines.map(async (file) => ({ file, at: await changedAt(join(cwd, file)) })));
      const shown = dated.sort((a, b) => b.at - a.at || (a.file < b.file ? -1 : 1)).slice(0, SHOWN);
      const more =
        lines.length > SHOWN ? [`[${lines.length - SHOWN}${lines.length === MOST ? '+' : ''} more files]`] : [];
      return ok([...shown.map(({ file }) => join(path, file)), ...more].join('\n'));
    },
  });
}

async function changedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}
