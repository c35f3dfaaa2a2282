import { resumeCommand } from '../../contract/resume-command.ts';
import type { LiveSession } from '../../contract/sessions.ts';
import { DomainError } from '../errors.ts';
import { isBefore, REWAKE_SINCE } from '../hooks/hook-entries.ts';
import type { Session } from '../sessions/session.ts';

/** Throws where a prompt could never arrive. */
export function checkWakeable({ id, endedAt, cwd, clientVersion }: LiveSession): void {
  if (endedAt !== null) {
    const resume = resumeCommand({ id, cwd });
    throw new DomainError('session.ended', 409, `Session ${id} has ended. Resume it: ${resume}`, { resume });
  }
  if (clientVersion !== null && isBefore(clientVersion, REWAKE_SINCE)) {
    throw new DomainError(
      'prompt.unsupported',
      409,
      `Session ${id} runs Claude Code ${clientVersion}, which takes no prompts from outside; ${REWAKE_SINCE} is the first that does. Type it into its terminal.`,
    );
  }
}

/** What keeps a prompt from being delivered now; undefined: nothing. */
export function waitsFor(session: Session | undefined, { isListening }: { isListening: boolean }): string | undefined {
  if (session?.stop?.state === 'stopping') return 'The session is being stopped.';
  if (!session?.betweenTurns) return 'The session is at work. It gets this when its turn ends.';
  if (isListening) return undefined;
  return 'The session does not listen yet: it runs in no terminal, or has had no turn since our hooks were registered. It gets this at its next Stop.';
}
