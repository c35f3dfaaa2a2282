import type { Approval } from '../../../../src/contract/approvals.ts';
import { isRecord } from '../../../../src/contract/values.ts';

type Call = Pick<Approval, 'toolInput'>;

/** The text to edit: the command if there is one, otherwise the whole input. */
export function editableText({ toolInput }: Call): string {
  return typeof toolInput.command === 'string' ? toolInput.command : JSON.stringify(toolInput, null, 2);
}

/** The input for the edited text, or what is wrong with it. */
export function editedInput(
  { toolInput }: Call,
  text: string,
): { input: Record<string, unknown> } | { problem: string } {
  if (typeof toolInput.command === 'string')
    return text.trim() ? { input: { ...toolInput, command: text } } : { problem: 'Enter a command, or go back.' };
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { input: value };
    return { problem: 'The input must be a JSON object.' };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `Not valid JSON: ${error.message}` };
    throw error;
  }
}
