import type { Command } from 'commander';
import { execute } from './execute.ts';

await execute(() => loadProgram(process.argv[2]));

/** These start without loading the other commands: someone waits for the agent, and usage is read faster than the rest loads. */
function loadProgram(command: string | undefined): Promise<{ program: Command }> {
  if (command === 'run') return import('./run-program.ts');
  if (command === 'usage') return import('./usage-program.ts');
  return import('./program.ts');
}
