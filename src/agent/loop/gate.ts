export type GateKind = 'read' | 'write' | 'free';

interface Waiting {
  kind: 'read' | 'write';
  enter: () => void;
}

/**
 * A fair read-write lock: readers share, writers are exclusive, first come first served. A read requested after a write sees what was
 * written. `free` tools never wait. No call holds the gate while it waits for the operator.
 */
export class Gate {
  #readers = 0;
  #isWriting = false;
  readonly #queue: Waiting[] = [];

  async enter(kind: GateKind, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (kind === 'free') return () => undefined;
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        this.#admit();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        kind,
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#queue.push(waiting);
      this.#admit();
    });
    return once(() => this.#leave(kind));
  }

  #admit(): void {
    for (let next = this.#queue[0]; next && this.#hasRoom(next.kind); next = this.#queue[0]) {
      this.#queue.shift();
      if (next.kind === 'write') this.#isWriting = true;
      else this.#readers += 1;
      next.enter();
    }
  }

  #hasRoom(kind: 'read' | 'write'): boolean {
    return !this.#isWriting && (kind === 'read' || this.#readers === 0);
  }

  #leave(kind: 'read' | 'write'): void {
    if (kind === 'write') this.#isWriting = false;
    else this.#readers -= 1;
    this.#admit();
  }
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
