import { DomainError } from '../errors.ts';

/** Why somebody with a credential may not act all the same. */
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
    'The token in the data dir can only read, because every agent can read it too. Acting takes a terminal. ' +
      'For a script, make a token: run `gctl token --operator` in a terminal and set GROUNDCONTROL_TOKEN.',
  );

export const noChallenge = (): DomainError =>
  refused(
    'no_challenge',
    'The token in the data dir can only read. `gctl` acts with a challenge that the daemon gives to its process. ' +
      'For a script, make a token: run `gctl token --operator` in a terminal.',
  );

export const callerGone = (): DomainError =>
  refused('caller_gone', 'The program that sent this ended before Ground Control could see which one it was.');

export const callerHidden = (): DomainError =>
  refused(
    'caller_hidden',
    "Ground Control can't see which program asks, and a process of a session hides what it has open.",
  );

export const callerUnknown = (): DomainError =>
  refused(
    'caller_unknown',
    "This system doesn't tell which program asks, so the command line can't act here. Use the board.",
  );
