import { CommanderError } from 'commander';
import { EXIT, isExpected } from './exit.ts';
import { complain } from './output.ts';
import { ownVersion } from './own-files.ts';
import { program } from './program.ts';

// whoever read us (`| head`) has enough; a daemon in the foreground goes on without a reader
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!['up', 'demo'].includes(process.argv[2] ?? '')) process.exit(EXIT.ok);
});

try {
  await program.version(ownVersion()).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // commander has printed its own message, or the help that was asked for
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (!isExpected(error)) throw error;
  complain(error.message);
  return error.exitCode ?? EXIT.failed;
}
