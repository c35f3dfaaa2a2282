/** The turn ended before its script: with Esc, or through the daemon's answer. */
export class TurnEnded extends Error {}

/** The session ended: its process was ended, or its user left. */
export class SessionEnded extends Error {}
