const ESCAPE = '\u001B';
const PASTE_START = `${ESCAPE}[200~`;
const PASTE_END = `${ESCAPE}[201~`;
/** A lone Esc looks like the start of a sequence, but the rest of a sequence arrives immediately. */
const ESCAPE_MS = 40;

export type Key =
  | { kind: 'escape' | 'enter' | 'newline' | 'background' | 'cancel' | 'end' }
  | { kind: 'paste'; text: string }
  /** Characters and everything that moves in a line. */
  | { kind: 'text'; text: string };

const SINGLE: Record<string, Key['kind']> = {
  '\r': 'enter',
  '\n': 'newline',
  '\u0002': 'background',
  '\u0003': 'cancel',
  '\u0004': 'end',
};

// built from strings: keys are control characters, which the linter rejects in a regex literal
const SEQUENCE = new RegExp(`^${ESCAPE}(?:\\[[\\d;?]*[ -/]*[@-~]|O.|[^[O])`, 'u');
const CHARACTERS = new RegExp(`^[^${ESCAPE}${Object.keys(SINGLE).join('')}]+`, 'u');

/** Turns what a terminal in raw mode sends into keys. */
export class KeyReader {
  readonly #onKey: (key: Key) => void;
  #pending = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(onKey: (key: Key) => void) {
    this.#onKey = onKey;
  }

  take(chunk: string): void {
    clearTimeout(this.#timer);
    this.#pending += chunk;
    while (this.#pending !== '') {
      const used = this.#next(this.#pending);
      if (used === 0) break;
      this.#pending = this.#pending.slice(used);
    }
    if (this.#pending === ESCAPE)
      this.#timer = setTimeout(() => {
        this.#pending = '';
        this.#onKey({ kind: 'escape' });
      }, ESCAPE_MS);
  }

  /** How many characters were consumed. 0: the rest of the sequence hasn't arrived. */
  #next(text: string): number {
    const [first = ''] = text;
    const single = SINGLE[first];
    if (single !== undefined) {
      this.#onKey({ kind: single } as Key);
      return 1;
    }
    if (first !== ESCAPE) return this.#text(text);
    if (text === ESCAPE || PASTE_START.startsWith(text)) return 0;
    if (text.startsWith(PASTE_START)) return this.#paste(text);
    if (text[1] === '\r' || text[1] === '\n') {
      this.#onKey({ kind: 'newline' });
      return 2;
    }
    const [sequence] = SEQUENCE.exec(text) ?? [];
    if (sequence === undefined) return 0;
    this.#onKey({ kind: 'text', text: sequence });
    return sequence.length;
  }

  #text(text: string): number {
    const [run = text[0] ?? ''] = CHARACTERS.exec(text) ?? [];
    this.#onKey({ kind: 'text', text: run });
    return run.length;
  }

  #paste(text: string): number {
    const end = text.indexOf(PASTE_END);
    if (end < 0) return 0;
    this.#onKey({ kind: 'paste', text: text.slice(PASTE_START.length, end).replace(/\r\n?/g, '\n') });
    return end + PASTE_END.length;
  }
}
