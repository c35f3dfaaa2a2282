import { isHeadless } from '../../../sessions/entrypoint.ts';
import type { Client } from './find-clients.ts';

/**
 * `claude -p`: it has no prompt to go back to. A turn that we end by a hook makes it exit 0 with nothing said, and SIGINT too; SIGTERM
 * makes it exit 143. One that reads its prompts from a program goes on after a turn.
 */
export function endsWithItsTurn({ file, process }: Client): boolean {
  return isHeadless(file?.entrypoint) && !/ --input-format[ =]stream-json( |$)/.test(process.command);
}
