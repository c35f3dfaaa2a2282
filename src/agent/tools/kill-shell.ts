import { z } from 'zod';
import type { Shells } from '../shells/shells.ts';
import { defineTool, failed, ok } from './tool.ts';

export function killShellTool(shells: Shells) {
  return defineTool({
    name: 'KillShell',
    description: 'End a background shell and everything it started.',
    input: z.object({ shell_id: z.string() }),
    gate: 'free',
    permission: 'none',
    async run({ shell_id: id }) {
      const left = await shells.get(id).kill();
      if (left.length > 0) return failed(`Shell ${id} was not ended: these processes still run: ${left.join(', ')}.`);
      return ok(`Shell ${id} ended. Nothing it started is still running.`);
    },
  });
}
