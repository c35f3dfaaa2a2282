import { closeSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { AgentError } from '../../agent/errors.ts';
import type { Entry } from '../../agent/loop/conversation.ts';
import { Tokens } from '../../contract/usage.ts';

const Header = z.object({
  version: z.literal(1),
  sessionId: z.string(),
  cwd: z.string(),
  createdAt: z.number(),
  forkedFrom: z.string().optional(),
});
export type Header = z.infer<typeof Header>;

const Used = z.object({ requestId: z.string(), model: z.string(), tokens: Tokens });
export type Used = z.infer<typeof Used>;

/** `uuid`: the message's id in the transcript, on pages and in links. */
const Stored = z.union([
  z.object({ at: z.number(), uuid: z.string(), entry: z.custom<Entry>((value) => typeof value === 'object') }),
  z.object({ at: z.number(), used: Used }),
]);
export type Stored = z.infer<typeof Stored>;

/**
 * The conversation of a native session, append-only, one line per step. A killed process leaves a prefix, maybe with a partial last line,
 * and every prefix is a conversation that can continue.
 */
export class ConversationFile {
  readonly header: Header;
  /** The content when it was opened. */
  readonly before: readonly Stored[];
  readonly #fd: number;

  private constructor(path: string, header: Header, before: readonly Stored[], flags: string) {
    this.header = header;
    this.before = before;
    this.#fd = openSync(path, flags, 0o600);
  }

  static create(path: string, header: Header, lines: readonly Stored[] = []): ConversationFile {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = new ConversationFile(path, header, lines, 'ax');
    file.#write([header, ...lines]);
    return file;
  }

  static open(path: string): ConversationFile {
    const { header, lines, bytes } = readConversation(path);
    // a partial line would merge with the next one that is written
    truncateSync(path, bytes);
    return new ConversationFile(path, header, lines, 'a');
  }

  append(line: Stored): void {
    this.#write([line]);
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** One write per call: other processes never see half of it, and it survives us. */
  #write(lines: readonly object[]): void {
    writeSync(this.#fd, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}

interface ReadConversation {
  header: Header;
  lines: Stored[];
  /** Up to the end of the last whole line. */
  bytes: number;
}

export function readConversation(path: string): ReadConversation {
  const content = readFileSync(path);
  const bytes = content.lastIndexOf(0x0a) + 1;
  const [first = '', ...rest] = content.toString('utf8', 0, bytes).split('\n').slice(0, -1);
  const header = parse(Header, first, path, 1);
  return { header, lines: rest.map((line, at) => parse(Stored, line, path, at + 2)), bytes };
}

function parse<T>(shape: z.ZodType<T>, line: string, path: string, number: number): T {
  try {
    return shape.parse(JSON.parse(line));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new AgentError('conversation.damaged', `Line ${number} of ${path} can't be read: ${why}`);
  }
}
