import type { LoopEvent } from '../../agent/events.ts';
import type { Shells } from '../../agent/shells/shells.ts';
import type { ShellsChanged } from '../../contract/shells.ts';

/** How often a flood is reported. Pages read the new output by position. */
const EVERY_MS = 150;

/** Reports which shells have new output, for pages that show them. */
export class WatchShells {
  readonly #shells: Shells;
  readonly #send: (change: Omit<ShellsChanged, 'sessionId'>) => void;
  readonly #output = new Set<string>();
  #list = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(shells: Shells, send: (change: Omit<ShellsChanged, 'sessionId'>) => void) {
    this.#shells = shells;
    this.#send = send;
  }

  take(event: LoopEvent): void {
    if (event.type === 'shell.started') this.#follow(event.shellId);
    // a call that ends may have left its command in the background
    if (['shell.started', 'shell.ended', 'tool.ended', 'tool.failed'].includes(event.type)) {
      this.#list = true;
      this.#later();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #follow(id: string): void {
    this.#shells.get(id).attach(Number.MAX_SAFE_INTEGER, () => {
      this.#output.add(id);
      this.#later();
    });
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#send({ list: this.#list, output: [...this.#output] });
      this.#list = false;
      this.#output.clear();
    }, EVERY_MS);
  }
}
