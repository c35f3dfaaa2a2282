import { resumeCommand } from '../../contract/resume-command.ts';
import type { LiveSession } from '../../contract/sessions.ts';
import { DomainError } from '../errors.ts';
import type { Session } from '../sessions/session.ts';

/** Throws if a prompt could never arrive. */
export function checkWakeable({ id, endedAt, cwd, noPrompts }: LiveSession): void {
  const resume = resumeCommand({ id, cwd });
  if (endedAt !== null)
    throw new DomainError('session.ended', 409, `Session ${id} has ended. Resume it: ${resume}`, { resume });
  if (noPrompts !== null)
    throw new DomainError('prompt.unsupported', 409, `Session ${id} takes no prompts. ${noPrompts}`, { resume });
}

/** What keeps a prompt from being delivered now. undefined: nothing. */
export function waitsFor(session: Session | undefined, { isListening }: { isListening: boolean }): string | undefined {
  if (session?.stop?.state === 'stopping') return 'The session is being stopped.';
  if (!session?.betweenTurns) return 'The session is busy. It gets this when its turn ends.';
  if (isListening) return undefined;
  return "The session can't take prompts yet: it isn't in a terminal, or hasn't had a turn since the hooks were installed. It gets this when its next turn ends.";
}
