import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { RunnerProcess } from '../../contract/runners.ts';
import { identify } from '../identity.ts';
import type { ClientCommand } from './client-command.ts';

type SpawnClient = NonNullable<Options['spawnClaudeCodeProcess']>;
type NoteProcess = (process: RunnerProcess) => void;

/** A client that runs before the SDK asks for it. */
export interface ClientAhead {
  /** Undefined if it isn't what the SDK asks for, or has ended. */
  take(wanted: ClientCommand): ChildProcessWithoutNullStreams | undefined;
}

/** Starts the client for the SDK and records its process before it does anything, so that it can be found if we are killed. */
export function spawnClient(onStart: NoteProcess, ahead?: ClientAhead): SpawnClient {
  return ({ command, args, cwd = process.cwd(), env, signal }) => {
    const wanted = { command, args, cwd, env: withoutUndefined(env) };
    const child = ahead?.take(wanted) ?? start(wanted, onStart);
    signal.addEventListener('abort', () => child.kill(), { once: true });
    return child;
  };
}

/** The client takes most of the time of a start, so it begins while the SDK is still being loaded. */
export function startAhead(command: ClientCommand, onStart: NoteProcess): ClientAhead {
  const child = start(command, onStart);
  let hasFailed = false;
  const onError = () => {
    hasFailed = true;
  };
  // the SDK's own attempt will report why
  child.on('error', onError);
  return {
    take(wanted) {
      const isUsable = !hasFailed && child.exitCode === null && child.signalCode === null;
      if (isUsable && isDeepStrictEqual(wanted, command)) {
        child.off('error', onError);
        return child;
      }
      child.kill('SIGKILL');
      return undefined;
    },
  };
}

function start({ command, args, cwd, env }: ClientCommand, onStart: NoteProcess): ChildProcessWithoutNullStreams {
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  if (child.pid !== undefined) onStart(identify(child.pid));
  // a pipe without a reader would fill up
  child.stderr.on('data', passOn);
  return child;
}

/** To the runner's log, if the disk has room for it. */
function passOn(chunk: Buffer): void {
  try {
    process.stderr.write(chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

const withoutUndefined = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
