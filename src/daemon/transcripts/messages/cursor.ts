import { DomainError } from '../../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { isLineStart } from './lines.ts';

/** A position between two lines, and how far the page that ended there already looked for results. */
export interface Cursor {
  position: number;
  seen: number;
}

export function writeCursor({ position, seen }: Cursor): string {
  return seen > position ? `${position}-${seen}` : String(position);
}

export function readCursor(source: ByteSource, text: string): Cursor {
  const found = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text);
  if (!found)
    throw new DomainError('messages.bad_cursor', 400, `${text} isn't a cursor. Pass a page's \`start\` or \`end\`.`);
  const position = Number(found[1]);
  if (isLineStart(source, position)) return { position, seen: Math.max(position, Number(found[2] ?? 0)) };
  throw new DomainError(
    'messages.stale_cursor',
    409,
    'The transcript was rewritten since that page was read. Read it again from the end.',
  );
}
