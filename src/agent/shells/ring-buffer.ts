export type OutputStream = 'stdout' | 'stderr';

export interface OutputPiece {
  stream: OutputStream;
  text: string;
  /** Absolute position of the first character, counted from the start of the shell. */
  at: number;
}

export interface OutputRead {
  pieces: OutputPiece[];
  /** Where the next read continues. */
  cursor: number;
  /** Characters dropped between the requested cursor and the first piece. */
  missed: number;
}

/** Neighbors of one stream as one piece: where a chunk ended says nothing about lines. */
export function joinPieces(pieces: readonly OutputPiece[]): OutputPiece[] {
  const joined: { stream: OutputStream; at: number; texts: string[] }[] = [];
  for (const { stream, text, at } of pieces) {
    const last = joined.at(-1);
    if (last?.stream === stream) last.texts.push(text);
    else joined.push({ stream, at, texts: [text] });
  }
  return joined.map(({ stream, at, texts }) => ({ stream, at, text: texts.join('') }));
}

/** The last `capacity` characters of a shell's output. Positions are absolute, so a reader that reconnects can detect gaps. */
export class RingBuffer {
  readonly #capacity: number;
  #pieces: OutputPiece[] = [];
  #kept = 0;
  #end = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get end(): number {
    return this.#end;
  }

  write(stream: OutputStream, text: string): void {
    if (text === '') return;
    const last = this.#pieces.at(-1);
    // merged, so that a program that writes byte by byte doesn't cost an object per byte
    if (last?.stream === stream && last.text.length + text.length < 4096) last.text += text;
    else this.#pieces.push({ stream, text, at: this.#end });
    this.#end += text.length;
    this.#kept += text.length;
    this.#trim();
  }

  read(from = 0): OutputRead {
    const start = this.#end - this.#kept;
    const first = Math.max(0, Math.min(from, this.#end));
    const pieces = this.#pieces.flatMap(({ stream, text, at }) => {
      if (at + text.length <= first) return [];
      const cut = Math.max(0, first - at);
      return [{ stream, text: text.slice(cut), at: at + cut }];
    });
    return { pieces, cursor: this.#end, missed: Math.max(0, start - first) };
  }

  #trim(): void {
    let drop = 0;
    while (this.#kept > this.#capacity && drop < this.#pieces.length) {
      const oldest = this.#pieces[drop]!;
      const excess = this.#kept - this.#capacity;
      if (oldest.text.length > excess) {
        this.#pieces[drop] = { ...oldest, text: oldest.text.slice(excess), at: oldest.at + excess };
        this.#kept -= excess;
        break;
      }
      this.#kept -= oldest.text.length;
      drop += 1;
    }
    if (drop > 0) this.#pieces = this.#pieces.slice(drop);
  }
}
