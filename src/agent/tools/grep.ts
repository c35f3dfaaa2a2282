import { z } from 'zod';
import { runRipgrep } from './ripgrep.ts';
import { defineTool, ok } from './tool.ts';
import type { Workspace } from './workspace.ts';

const Input = z.object({
  pattern: z.string().min(1).describe('A regular expression (Rust syntax)'),
  path: z.string().optional().describe('File or folder. Default: the project folder'),
  glob: z.string().optional().describe('Only files like this: *.ts, src/**/*.css'),
  type: z
    .string()
    .regex(/^[a-z0-9]+$/i)
    .optional()
    .describe('Only files of this type: ts, py, rust'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('Default: files_with_matches'),
  '-i': z.boolean().optional().describe('Ignore case'),
  '-A': z.number().int().min(0).max(50).optional().describe('Lines after each match'),
  '-B': z.number().int().min(0).max(50).optional().describe('Lines before each match'),
  '-C': z.number().int().min(0).max(50).optional().describe('Lines around each match'),
  multiline: z.boolean().optional(),
  head_limit: z.number().int().min(1).max(2000).optional().describe('Lines to return. Default 250'),
});

export function grepTool(workspace: Workspace) {
  return defineTool<z.infer<typeof Input>>({
    name: 'Grep',
    description: 'Search file contents with ripgrep. Respects .gitignore.',
    input: Input,
    gate: 'read',
    permission: 'permission',
    async run(input, { signal }) {
      const mode = input.output_mode ?? 'files_with_matches';
      const around = (['-A', '-B', '-C'] as const).flatMap((flag) =>
        mode === 'content' && input[flag] !== undefined ? [flag, String(input[flag])] : [],
      );
      const args = [
        '--no-config',
        '--color=never',
        '--hidden',
        '--glob=!.git',
        ...(mode === 'content' ? ['--line-number', '--no-heading', '--with-filename'] : []),
        ...(mode === 'files_with_matches' ? ['--files-with-matches'] : []),
        ...(mode === 'count' ? ['--count', '--with-filename'] : []),
        ...(input['-i'] ? ['--ignore-case'] : []),
        ...(input.multiline ? ['--multiline', '--multiline-dotall'] : []),
        ...(input.glob === undefined ? [] : [`--glob=${input.glob}`]),
        ...(input.type === undefined ? [] : [`--type=${input.type}`]),
        ...around,
        // keeps the pattern and path from being parsed as options
        '--regexp',
        input.pattern,
        '--',
        input.path ?? '.',
      ];
      const most = input.head_limit ?? 250;
      const { lines, isCut } = await runRipgrep(args, { cwd: workspace.root, most, signal });
      if (lines.length === 0) return ok('No matches.');
      return ok(
        [...lines.map((line) => line.replace(/^\.\//, '')), ...(isCut ? [`[more than ${most} lines]`] : [])].join('\n'),
      );
    },
  });
}
