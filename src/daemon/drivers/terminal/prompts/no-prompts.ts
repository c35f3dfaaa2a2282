import { hasTerminal, isHeadless } from '../../../sessions/entrypoint.ts';
import type { Session } from '../../../sessions/session.ts';
import { isBefore, REWAKE_SINCE } from '../settings/hook-entries.ts';

/** Why a session can never take a prompt. null: it can, as far as we know. */
export function whyNoPrompts({
  entrypoint,
  clientVersion,
}: Pick<Session, 'entrypoint' | 'clientVersion'>): string | null {
  if (isHeadless(entrypoint))
    return 'It runs headless (claude -p): it answers the prompt it was started with, then exits.';
  if (!hasTerminal(entrypoint))
    return `It runs inside another program (${entrypoint}), and only that program can prompt it.`;
  if (clientVersion !== null && isBefore(clientVersion, REWAKE_SINCE))
    return `It runs Claude Code ${clientVersion}, which takes no prompts from outside. That needs ${REWAKE_SINCE} or newer. Type the prompt in its terminal.`;
  return null;
}
