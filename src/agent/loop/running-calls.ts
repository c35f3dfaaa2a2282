import { AgentError } from '../errors.ts';

interface Controls {
  abort: AbortController;
  background: AbortController;
}

/** Lets the operator act on one waiting or running call without affecting the others. */
export class RunningCalls {
  readonly #calls = new Map<string, Controls>();

  add(id: string, turnSignal: AbortSignal) {
    const controls: Controls = { abort: new AbortController(), background: new AbortController() };
    const stop = () => controls.abort.abort(turnSignal.reason);
    if (turnSignal.aborted) stop();
    turnSignal.addEventListener('abort', stop, { once: true });
    this.#calls.set(id, controls);
    return {
      control: {
        signal: controls.abort.signal,
        background: controls.background.signal,
        sendToBackground: () => controls.background.abort(),
      },
      end: () => {
        turnSignal.removeEventListener('abort', stop);
        this.#calls.delete(id);
      },
    };
  }

  /** Ends one call. The turn continues with its result. */
  kill(id: string): void {
    this.#find(id).abort.abort(new Error('Killed by the operator'));
  }

  background(id: string): void {
    this.#find(id).background.abort();
  }

  get ids(): string[] {
    return [...this.#calls.keys()];
  }

  #find(id: string): Controls {
    const found = this.#calls.get(id);
    if (!found) throw new AgentError('call.not_running', `No call ${id} is running.`);
    return found;
  }
}
