import { DomainError } from '../errors.ts';

/** Why someone with a valid credential still may not act. */
const refused = (code: string, message: string, details?: Record<string, unknown>): DomainError =>
  new DomainError(`access.${code}`, 403, message, details);

export const byAgent = (title: string): DomainError =>
  refused(
    'agent',
    `A process of the session “${title}” can't act as the operator. Use the board, or a terminal of your own.`,
  );

export const unclearCaller = (title: string, code: string): DomainError =>
  refused(
    'unclear',
    `The session “${title}” may have started this. If it's yours, confirm the code ${code}: on the board under Settings, ` +
      `or with \`gctl confirm ${code}\` in a terminal that no session has opened.`,
    { confirm: code },
  );

export const noTerminal = (): DomainError =>
  refused(
    'no_terminal',
    'The token in the data dir is read-only, because every agent can read it too. To act, use a terminal. ' +
      'For a script, create a token: run `gctl token --operator` in a terminal and set GROUNDCONTROL_TOKEN.',
  );

export const noChallenge = (): DomainError =>
  refused(
    'no_challenge',
    'The token in the data dir is read-only. `gctl` acts by answering a challenge that the daemon gives its process. ' +
      'For a script, create a token: run `gctl token --operator` in a terminal.',
  );

export const callerGone = (): DomainError =>
  refused('caller_gone', 'The program that sent this exited before Ground Control could identify it.');

export const callerHidden = (): DomainError =>
  refused(
    'caller_hidden',
    "Ground Control can't identify the program that sent this, and a session's process is hiding its open files.",
  );

export const callerUnknown = (): DomainError =>
  refused(
    'caller_unknown',
    "This system can't identify the program that sent this, so the command line can't act here. Use the browser.",
  );
