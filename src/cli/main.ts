import { CommanderError } from 'commander';
import { EXIT, exitCodeOf, isExpected } from './exit.ts';
import { complain } from './output.ts';
import { ownVersion } from './own-files.ts';

// the reader closed the pipe (`| head`); a daemon in the foreground keeps running without one
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!['up', 'demo'].includes(process.argv[2] ?? '')) process.exit(EXIT.ok);
});

try {
  // the agent answers someone who waits: it starts without loading the other commands
  const { program } = await (process.argv[2] === 'run' ? import('./run-program.ts') : import('./program.ts'));
  await program.version(ownVersion()).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // commander has already printed its message or the help
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!isExpected(error)) throw error;
  complain(error.message);
  return exitCodeOf(error);
}
