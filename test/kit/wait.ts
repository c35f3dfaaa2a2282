import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  /** Named in the error, so that a timeout says what was missing. */
  what: string;
  /** A ceiling for a loaded machine, not an expectation. */
  timeout?: number;
  interval?: number;
  /** Called only on timeout, to show the actual state. */
  context?: () => unknown;
}

/** Polls until `check` returns something truthy, and returns that. A check that throws is retried until the timeout. */
export async function waitFor<T>(check: () => T | Promise<T>, options: WaitOptions): Promise<NonNullable<T>> {
  const { what, timeout = 30_000, interval = 25, context } = options;
  const deadline = Date.now() + timeout;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await check();
      if (value) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= deadline) throw new WaitTimeout(what, timeout, { cause: lastError, context: context?.() });
    await sleep(interval);
  }
}

export class WaitTimeout extends Error {
  constructor(what: string, timeout: number, { cause, context }: { cause?: unknown; context?: unknown } = {}) {
    const parts = [`waited ${timeout} ms for ${what}`];
    if (cause !== undefined) parts.push(`last error: ${cause instanceof Error ? cause.message : String(cause)}`);
    if (context !== undefined) parts.push(typeof context === 'string' ? context : JSON.stringify(context, null, 2));
    super(parts.join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'WaitTimeout';
  }
}
