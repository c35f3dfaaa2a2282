import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { paint, toLine, withoutColors } from '../output.ts';
import { shortenTo } from './cells.ts';
import { type Key, KeyReader } from './keys.ts';

const ESCAPE = '\u001B';
const BRACKETED_PASTE = { on: `${ESCAPE}[?2004h`, off: `${ESCAPE}[?2004l` };
/** Synchronized output: terminals that support it show a redraw in one step, and others ignore it. */
const FRAME = { begin: `${ESCAPE}[?2026h`, end: `${ESCAPE}[?2026l` };
const CLEAR_DOWN = `${ESCAPE}[0J`;
/** A question that appears while someone is typing must not take the next letter as its answer. */
const TYPING_MS = 1500;

/** The parts of Node's line editor that we control ourselves. */
type Editor = Interface & { line: string; cursor: number; prevRows: number; history: string[] };

interface Line {
  prompt: string;
  /** What was typed before another line took over. */
  draft: string;
  onEnter: (text: string) => void;
  onEscape: () => void;
}

interface Choice {
  text: string;
  keys: string;
  resolve: (key: string) => void;
}

export interface ScreenHandlers {
  onPrompt: (text: string) => void;
  onEscape: () => void;
  onBackground: () => void;
  onLeave: () => void;
}

/**
 * The terminal. Finished lines are written once and scroll away. Only the lines below them are redrawn: a few live ones (the text being written, the
 * state) and the line being edited.
 */
export class Screen {
  readonly #handlers: ScreenHandlers;
  readonly #input = new PassThrough();
  readonly #editor: Editor;
  readonly #keys = new KeyReader((key) => this.#onKey(key));
  readonly #lines: Line[] = [];
  readonly #pasted: string[] = [];
  #above: string[] = [];
  #live: string[] = [];
  #drawnRows = 0;
  #choice: Choice | null = null;
  /** Whether the question is on the screen in place of the line. */
  #isAsking = false;
  #lastTyped = 0;
  #isOpen = false;

  constructor(handlers: ScreenHandlers) {
    this.#handlers = handlers;
    this.#editor = createInterface({
      input: this.#input,
      output: process.stdout,
      terminal: true,
      prompt: '',
      tabSize: 4,
    }) as Editor;
    this.#lines.push({
      prompt: '> ',
      draft: '',
      onEnter: (text) => handlers.onPrompt(text),
      onEscape: () => handlers.onEscape(),
    });
  }

  open(): void {
    this.#isOpen = true;
    process.stdin.setRawMode(true);
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', this.#onData);
    process.stdin.resume();
    process.stdout.write(BRACKETED_PASTE.on);
    process.stdout.on('resize', this.#redraw);
    process.on('SIGCONT', this.#comeBack);
    this.#editor.setPrompt(this.#line.prompt);
    this.#draw();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#erase();
    this.#isOpen = false;
    process.stdout.off('resize', this.#redraw);
    process.off('SIGCONT', this.#comeBack);
    process.stdout.write(BRACKETED_PASTE.off);
    process.stdin.off('data', this.#onData);
    process.stdin.setRawMode(false);
    process.stdin.pause();
    this.#editor.close();
  }

  /** Finished lines. */
  print(...lines: string[]): void {
    this.#frame(() => {
      for (const line of lines) process.stdout.write(`${toLine(line)}\n`);
    });
  }

  /** The live lines above the input line. */
  set live(lines: string[]) {
    const isDue = this.#choice !== null && !this.#isAsking && !this.isTyping;
    if (!isDue && lines.join('\n') === this.#live.join('\n')) return;
    this.#frame(() => {
      this.#live = lines;
    });
  }

  get isTyping(): boolean {
    return this.#editor.line !== '' && Date.now() - this.#lastTyped < TYPING_MS;
  }

  bell(): void {
    process.stdout.write('\u0007');
  }

  /** Resolves to one of these keys, or to undefined if the signal withdraws the question. */
  choose(text: string, keys: string, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      const settle = (key: string | undefined) => {
        signal.removeEventListener('abort', give);
        this.#frame(() => {
          this.#choice = null;
        });
        resolve(key);
      };
      const give = () => settle(undefined);
      if (signal.aborted) return resolve(undefined);
      signal.addEventListener('abort', give, { once: true });
      this.#frame(() => {
        this.#choice = { text, keys, resolve: settle };
      });
    });
  }

  /** Reads a separate line in place of the one being edited. undefined: Esc, or the signal withdrew the question. */
  readLine(prompt: string, start: string, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      const settle = (text: string | undefined) => {
        signal.removeEventListener('abort', give);
        this.#frame(() => {
          this.#lines.splice(this.#lines.indexOf(line), 1);
          this.#edit(this.#line.draft);
        });
        resolve(text);
      };
      const give = () => settle(undefined);
      const line: Line = { prompt, draft: '', onEnter: settle, onEscape: give };
      if (signal.aborted) return resolve(undefined);
      signal.addEventListener('abort', give, { once: true });
      this.#frame(() => {
        this.#line.draft = this.#editor.line;
        this.#lines.push(line);
        this.#edit(start);
      });
    });
  }

  get #line(): Line {
    return this.#lines.at(-1)!;
  }

  readonly #onData = (chunk: string) => this.#keys.take(chunk);

  #onKey(key: Key): void {
    if (this.#isAsking && this.#answer(key)) return;
    this.#lastTyped = Date.now();
    switch (key.kind) {
      case 'text':
        this.#input.write(key.text);
        return;
      case 'paste':
        this.#paste(key.text);
        return;
      case 'newline':
        this.#breakLine();
        return;
      case 'enter':
        this.#enter();
        return;
      case 'escape':
        this.#line.onEscape();
        return;
      case 'background':
        this.#handlers.onBackground();
        return;
      case 'cancel':
        if (this.#editor.line === '' && this.#above.length === 0) this.#line.onEscape();
        else this.#clear();
        return;
      case 'end':
        if (this.#editor.line === '') this.#handlers.onLeave();
    }
  }

  /** Whether the key was meant for the question. */
  #answer(key: Key): boolean {
    if (key.kind !== 'text') return false;
    const choice = this.#choice;
    if (choice?.keys.includes(key.text.toLowerCase())) choice.resolve(key.text.toLowerCase());
    return true;
  }

  #enter(): void {
    const { line } = this.#editor;
    // as in a shell: the command continues in the next line
    if (line.endsWith('\\')) {
      this.#breakLine(line.slice(0, -1));
      return;
    }
    const shown = [...this.#above, line];
    const text = shown
      .join('\n')
      .replace(/\[Pasted text #(\d+), \d+ lines\]/g, (all, at) => this.#pasted[at - 1] ?? all);
    const { prompt, onEnter } = this.#line;
    this.#frame(() => {
      if (text.trim() !== '' && this.#lines.length === 1) process.stdout.write('\n');
      if (text.trim() !== '')
        for (const [at, part] of shown.entries())
          process.stdout.write(`${toLine(paint('bold', `${at === 0 ? prompt : '  '}${part}`))}\n`);
      this.#above = [];
      this.#edit('');
      if (line !== '' && this.#lines.length === 1) this.#editor.history.unshift(line);
    });
    onEnter(text);
  }

  #breakLine(line = this.#editor.line): void {
    this.#frame(() => {
      this.#above.push(line);
      this.#edit('');
    });
  }

  #clear(): void {
    this.#frame(() => {
      this.#above = [];
      this.#edit('');
    });
  }

  #paste(text: string): void {
    const lines = text.replace(/\n$/, '').split('\n');
    // the editor handles a single line, so longer text is kept aside and inserted when the line is sent
    const shown = lines.length === 1 ? lines[0]! : `[Pasted text #${this.#pasted.push(text)}, ${lines.length} lines]`;
    this.#editor.write(shown);
  }

  #edit(text: string): void {
    this.#editor.line = text;
    this.#editor.cursor = text.length;
    this.#editor.setPrompt(this.#line.prompt);
  }

  readonly #redraw = () => this.#frame(() => undefined);

  /** The shell that had the terminal in the meantime left it in its own mode. */
  readonly #comeBack = () => {
    process.stdin.setRawMode(true);
    this.#redraw();
  };

  #frame(change: () => void): void {
    if (!this.#isOpen) {
      change();
      return;
    }
    process.stdout.write(FRAME.begin);
    this.#erase();
    change();
    this.#draw();
    process.stdout.write(FRAME.end);
  }

  #erase(): void {
    const up = this.#drawnRows + (this.#isAsking ? 0 : this.#editor.getCursorPos().rows);
    process.stdout.write(`\r${up > 0 ? `${ESCAPE}[${up}A` : ''}${CLEAR_DOWN}`);
    this.#drawnRows = 0;
  }

  #draw(): void {
    const width = Math.max(20, (process.stdout.columns ?? 80) - 1);
    const most = Math.max(1, (process.stdout.rows ?? 24) - 6);
    const lines = [...this.#live, ...this.#above.map((line) => `  ${line}`)].slice(-most);
    for (const line of lines) process.stdout.write(`${toLine(shorten(line, width))}\n`);
    this.#drawnRows = lines.length;
    this.#isAsking = this.#choice !== null && !this.isTyping;
    if (this.#choice && this.#isAsking) {
      process.stdout.write(toLine(shorten(this.#choice.text, width)));
      return;
    }
    this.#editor.prevRows = 0;
    this.#editor.prompt(true);
  }
}

/** One row on the screen. Drops colors if truncating would cut an escape sequence in two. */
function shorten(line: string, width: number): string {
  const plain = withoutColors(line);
  const short = shortenTo(plain, width);
  return short === plain ? line : paint('dim', short);
}
