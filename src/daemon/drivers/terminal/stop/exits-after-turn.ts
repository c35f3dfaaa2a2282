import { isHeadless } from '../../../sessions/entrypoint.ts';
import type { SessionClient } from './find-clients.ts';

/**
 * `claude -p` has no prompt to return to. If a hook or SIGINT ends its turn, it exits 0 with no output; SIGTERM makes it exit 143. One that
 * reads prompts from a program continues after a turn.
 */
export function exitsAfterTurn({ file, process }: SessionClient): boolean {
  return isHeadless(file?.entrypoint) && !/ --input-format[ =]stream-json( |$)/.test(process.command);
}
