import type { Routes } from '../http/routes.ts';

/** One domain of the daemon: what it offers the others, its routes, and when it works. */
export interface Part {
  routes?: readonly Routes[];
  /** Before the first request comes in. */
  prepare?(): unknown;
  /** Once requests can come in. */
  start?(): unknown;
  /** The opposite of `start`, also when that failed half-way. Requests still come in. */
  stop?(): unknown;
  /** Frees what making the part took. No more requests come in, and every part has stopped. */
  close?(): unknown;
}

/** The parts in the order they were added. They start in that order and stop in reverse. */
export class Parts {
  readonly #parts: Part[] = [];
  /** What undoes what was done so far, newest last. */
  readonly #undo: (() => unknown)[] = [];
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** The part itself, for those that depend on it. */
  add<P extends Part>(part: P): P {
    this.#parts.push(part);
    this.onEnd(() => part.close?.());
    return part;
  }

  /** What is to be undone between the parts' own steps. */
  onEnd(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  get routes(): Routes[] {
    return this.#parts.flatMap(({ routes = [] }) => routes);
  }

  async prepare(): Promise<void> {
    for (const part of this.#parts) await part.prepare?.();
  }

  async start(): Promise<void> {
    for (const part of this.#parts) {
      this.onEnd(() => part.stop?.());
      await part.start?.();
    }
  }

  /** Continues if one fails: the port, the journal and the lock must be free for the next daemon. */
  async stop(): Promise<void> {
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) {
      try {
        await undo();
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
