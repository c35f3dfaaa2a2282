import { hasTerminal, isHeadless } from '../../../sessions/entrypoint.ts';
import type { Session } from '../../../sessions/session.ts';
import { isBefore, REWAKE_SINCE } from '../settings/hook-entries.ts';

/** Why a session can never be given a prompt from here; null: it can, as far as we know. */
export function whyNoPrompts({
  entrypoint,
  clientVersion,
}: Pick<Session, 'entrypoint' | 'clientVersion'>): string | null {
  if (isHeadless(entrypoint))
    return 'It runs headless (claude -p): it answers the one prompt that it was started with, and then ends.';
  if (!hasTerminal(entrypoint)) return `It runs inside another program (${entrypoint}), which alone can prompt it.`;
  if (clientVersion !== null && isBefore(clientVersion, REWAKE_SINCE))
    return `It runs Claude Code ${clientVersion}, which takes no prompts from outside; ${REWAKE_SINCE} is the first that does. Type it in its terminal.`;
  return null;
}
