/** The daemon refused a call and said why. */
export class CallRefused extends Error {
  readonly status: number;
  /** From the daemon's response: `approval.already_decided`. */
  readonly code: string;

  constructor(message: string, { status, code }: { status: number; code: string }) {
    super(message);
    this.name = 'CallRefused';
    this.status = status;
    this.code = code;
  }
}

/** No response: the daemon stopped, or the connection broke. */
export class DaemonUnreachable extends Error {
  readonly code = 'daemon.unreachable';

  constructor(url: string, reason: string) {
    super(`Lost the connection to the daemon at ${url} (${reason}).`);
    this.name = 'DaemonUnreachable';
  }
}
