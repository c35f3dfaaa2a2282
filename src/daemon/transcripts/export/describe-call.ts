import { describingField } from '../../../contract/describing-field.ts';

const MAX = 160;

/** A call in one line: what is run, read or changed. */
export function describeCall(input: Record<string, unknown>): string {
  const [line = '', ...rest] = (describingField(input)?.value ?? '').trim().split('\n', 2);
  return line.length > MAX || rest.length > 0 ? `${line.slice(0, MAX).toWellFormed()}…` : line;
}
