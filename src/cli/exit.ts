import { CallRefused, DaemonUnreachable } from '../client/errors.ts';

export const EXIT = { ok: 0, failed: 1, usage: 2, notRunning: 3 } as const;

/** Something the person can act on: its message is all they need, without a stack. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Our own errors and the daemon's, which name the thing and the fix. Anything else is a bug and keeps its stack. */
export function isExpected(error: unknown): error is Error {
  return (
    error instanceof Error && (error instanceof CliError || typeof (error as { code?: unknown }).code === 'string')
  );
}

export function exitCodeOf(error: Error): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof DaemonUnreachable) return EXIT.notRunning;
  return error instanceof CallRefused && error.status === 400 ? EXIT.usage : EXIT.failed;
}
