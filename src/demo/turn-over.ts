/** The turn has ended before its script: by Esc, or by an answer of the daemon. */
export class TurnOver extends Error {}

/** The session has ended: its process was ended, or its person left. */
export class SessionOver extends Error {}
