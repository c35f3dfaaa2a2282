import { type ParseError, printParseErrorCode } from 'jsonc-parser';

/** The line and column of an offset, counted from 1. */
export function positionIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** A parse error in words that say what to change. */
export function describeParseError(text: string, { error, offset }: ParseError): string {
  const code = printParseErrorCode(error);
  const before = text.slice(0, offset).trimEnd();
  if (code === 'InvalidCommentToken') return 'it has a comment, which JSON does not allow';
  if (before.endsWith(',') && /[}\]]/.test(text.charAt(offset))) return 'there is an extra comma before this bracket';
  if (offset >= text.trimEnd().length) return 'it ends unexpectedly';
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
