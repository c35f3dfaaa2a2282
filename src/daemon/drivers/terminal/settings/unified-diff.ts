import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** A readable unified diff with three lines of context; '' if nothing differs. */
export function unifiedDiff(before: string, after: string, name: string): string {
  if (before === after) return '';
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, options);
}
