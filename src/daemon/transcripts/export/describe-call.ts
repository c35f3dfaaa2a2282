import { textOf } from '../lines/line.ts';

/** The most telling field of a tool's input. */
const TELLING = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'description',
  'url',
  'query',
  'skill',
  'subject',
  'prompt',
  'path',
];
const MAX = 160;

/** A call in one line: what is run, read or changed. */
export function describeCall(input: Record<string, unknown>): string {
  const field = TELLING.find((name) => textOf(input[name]).trim() !== '');
  const [line = '', ...rest] = textOf(field && input[field])
    .trim()
    .split('\n', 2);
  return line.length > MAX || rest.length > 0 ? `${line.slice(0, MAX).toWellFormed()}…` : line;
}
