import { z } from 'zod';
import { joinPieces } from '../shells/ring-buffer.ts';
import type { Shells } from '../shells/shells.ts';
import { capText } from './cap-text.ts';
import { defineTool, failed, ok } from './tool.ts';

export function bashOutputTool(shells: Shells) {
  /** The read position in each shell. */
  const cursors = new Map<string, number>();
  return defineTool({
    name: 'BashOutput',
    description: 'New output of a background shell since you last read it, and its state.',
    input: z.object({
      shell_id: z.string(),
      filter: z.string().max(1000).optional().describe('A regular expression: only matching lines are shown'),
    }),
    gate: 'free',
    permission: 'none',
    async run({ shell_id: id, filter }) {
      const shell = shells.get(id);
      let pattern: RegExp | undefined;
      try {
        pattern = filter === undefined ? undefined : new RegExp(filter);
      } catch (error) {
        return failed(`The filter is not a regular expression: ${(error as Error).message}`);
      }
      const { pieces, cursor, missed } = shell.read(cursors.get(id) ?? 0);
      cursors.set(id, cursor);
      const text = joinPieces(pieces)
        .map(({ stream, text: part }) => (stream === 'stderr' ? mark(part) : part))
        .join('');
      const shown = pattern
        ? text
            .split('\n')
            .filter((line) => pattern.test(line))
            .join('\n')
        : text;
      const running = shell.state === 'running' ? [] : await shell.processes();
      const lines = [
        `state: ${shell.state}${shell.exitCode === null ? '' : `, exit code ${shell.exitCode}`}`,
        running.length > 0 ? `left running: ${running.map(({ pid, command }) => `${pid} ${command}`).join('; ')}` : '',
        missed > 0 ? `[${missed} earlier characters are no longer kept]` : '',
        capText(shown, shells.limits.inline),
      ];
      return ok(lines.filter((line) => line !== '').join('\n'));
    },
  });
}

function mark(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : `[stderr] ${line}`))
    .join('\n');
}
