/** A native agent error that the caller can act on. `code` is for programs, the message for people. */
export class AgentError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
