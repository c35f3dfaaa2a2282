import { isUtf8 } from 'node:buffer';

/** A longer line is read, but a client that writes one isn't healthy. */
const LONG = 32 * 1024 * 1024;

/** Problems of skipped lines. */
export const PASSED_OVER = {
  tooLong: 'longer than 64 MB',
  onlyNuls: 'only NUL bytes',
  nuls: 'NUL bytes',
  notUtf8: 'neither UTF-8 nor JSON',
  notObject: 'not a JSON object',
};

/** Problems of lines that were read anyway. */
const READ = {
  nulsBefore: 'NUL bytes before the line',
  notUtf8: 'not UTF-8 throughout',
  long: 'longer than 32 MB',
};

const READ_NAMES = new Set(Object.values(READ));

export function wasRead(problem: string): boolean {
  return READ_NAMES.has(problem);
}

export interface JudgedLine {
  bytes: Buffer;
  /** Bytes before it that aren't part of it: NULs where a line should be. */
  nuls: number;
  /** It was parsed. */
  isRead: boolean;
}

/** The one problem reported for a line; undefined: none. */
export function problemOf({ bytes, nuls, isRead }: JudgedLine): string | undefined {
  if (!isRead) {
    if (nuls > 0 || bytes.includes(0)) return PASSED_OVER.nuls;
    return isUtf8(bytes) ? PASSED_OVER.notObject : PASSED_OVER.notUtf8;
  }
  if (nuls > 0) return READ.nulsBefore;
  if (!isUtf8(bytes)) return READ.notUtf8;
  return bytes.length > LONG ? READ.long : undefined;
}

export function countProblem(problems: Record<string, number>, problem: string | undefined): void {
  if (problem !== undefined) problems[problem] = (problems[problem] ?? 0) + 1;
}
