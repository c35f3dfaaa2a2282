import { textOf } from './values.ts';

/** Fields of a tool's input that say what a call is about, the most telling first. */
const FIELDS = [
  'command',
  'file_path',
  'notebook_path',
  'url',
  'query',
  'pattern',
  'description',
  'skill',
  'subject',
  'prompt',
  'path',
  'shell_id',
];
const PATHS = new Set(['file_path', 'notebook_path', 'path']);

export interface DescribingField {
  name: string;
  value: string;
  /** It names a file or a folder. */
  isPath: boolean;
}

/** What a call is about, in its own words: the command, the file, the query. Undefined: none of its fields says. */
export function describingField(input: Record<string, unknown>): DescribingField | undefined {
  const name = FIELDS.find((field) => textOf(input[field]).trim() !== '');
  return name === undefined ? undefined : { name, value: textOf(input[name]), isPath: PATHS.has(name) };
}
