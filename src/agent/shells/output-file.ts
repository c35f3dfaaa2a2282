import { closeSync, openSync, writeSync } from 'node:fs';

/** A command's full output on disk, up to a limit: a command that reads its own output would fill the disk. */
export class OutputFile {
  readonly path: string;
  readonly #limit: number;
  #fd: number | null = null;
  #written = 0;
  dropped = 0;

  constructor(path: string, limit: number) {
    this.path = path;
    this.#limit = limit;
  }

  /** Synchronous on purpose: behind a slow disk, a write queue would grow without bound. */
  write(text: string): void {
    if (this.#written >= this.#limit) {
      this.dropped += text.length;
      return;
    }
    try {
      this.#fd ??= openSync(this.path, 'wx', 0o600);
      const bytes = Buffer.from(text).subarray(0, this.#limit - this.#written);
      this.#written += writeSync(this.#fd, bytes);
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      // a full disk must not end the agent: nobody catches what is thrown while output is read
      this.dropped += text.length;
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#written = this.#limit;
  }
}
