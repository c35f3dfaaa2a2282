/** Bytes found last time, which usually match again. */
export class LastBytes {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(max: number) {
    this.#bytes = Buffer.alloc(max);
  }

  areAt(bytes: Buffer, start: number, end: number): boolean {
    if (end - start !== this.#length) return false;
    for (let place = 0; place < this.#length; place++) if (bytes[start + place] !== this.#bytes[place]) return false;
    return true;
  }

  /** False: there are too many, and the previous ones are kept. */
  keep(bytes: Buffer, start: number, end: number): boolean {
    if (end - start > this.#bytes.length) return false;
    this.#length = end - start;
    for (let place = 0; place < this.#length; place++) this.#bytes[place] = bytes[start + place]!;
    return true;
  }
}
