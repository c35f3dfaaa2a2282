import { CommanderError } from 'commander';
import { EXIT, exitCodeOf, isExpected } from './exit.ts';
import { complain } from './output.ts';
import { ownVersion } from './own-files.ts';
import { loadProgram } from './program.ts';

// the reader closed the pipe (`| head`); a daemon in the foreground keeps running without one
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!['up', 'demo'].includes(process.argv[2] ?? '')) process.exit(EXIT.ok);
});

try {
  const program = await loadProgram(process.argv[2]);
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
