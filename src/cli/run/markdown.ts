import { paint } from '../output.ts';

/**
 * Markdown for a terminal, as it streams: a line is styled and written once, when it is complete, so nothing on screen is ever redrawn.
 */
export class MarkdownStream {
  readonly #write: (line: string) => void;
  #line = '';
  #fence: string | null = null;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  add(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#write(this.#style(line));
  }

  /** The line that isn't complete yet. */
  get unfinished(): string {
    return this.#line;
  }

  /** Writes what is left of the last line. */
  end(): void {
    if (this.#line !== '') this.#write(this.#style(this.#line));
    this.#line = '';
    this.#fence = null;
  }

  #style(line: string): string {
    const [, fence] = /^\s*(```+|~~~+)/.exec(line) ?? [];
    if (fence && (this.#fence === null || fence.startsWith(this.#fence))) {
      this.#fence = this.#fence === null ? fence : null;
      return paint('dim', line);
    }
    if (this.#fence !== null) return paint('cyan', line);
    const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
    if (heading !== undefined) return paint('bold', heading);
    if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return paint('dim', '─'.repeat(40));
    return inline(line.replace(/^(\s*)[-*+]\s+/, '$1• ').replace(/^(\s*)>\s?/, '$1│ '));
  }
}

function inline(line: string): string {
  return line
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) => {
      if (part.startsWith('`') && part.length > 2) return paint('cyan', part.slice(1, -1));
      if (part.startsWith('**') && part.length > 4) return paint('bold', part.slice(2, -2));
      return part;
    })
    .join('');
}
