import { CliError, EXIT } from './exit.ts';
import { oneLine } from './output.ts';

export interface Question {
  question: string;
  multiSelect?: boolean;
  options?: { label: string }[];
}

/** An option's number or label, several joined by commas, or the operator's own words. */
export function readAnswer(
  answer: string,
  { question, multiSelect = false, options = [] }: Question,
): string | string[] {
  const labels = answer.split(',').map((part) => labelOf(part.trim(), options));
  const unknown = labels.indexOf(undefined);
  if (unknown >= 0) {
    const part = answer.split(',')[unknown]!.trim();
    const isNumber = /^\d+$/.test(part);
    if (!isNumber || options.length === 0) return answer;
    const range = options.length === 1 ? 'only option 1' : `options 1 to ${options.length}`;
    throw new CliError(
      `"${oneLine(question)}" has ${range}, not ${part}. To answer in your own words, use more than a number.`,
      EXIT.usage,
    );
  }
  const chosen = labels.filter((label) => label !== undefined);
  if (chosen.length > 1 && !multiSelect) throw new CliError(`"${oneLine(question)}" takes one option.`, EXIT.usage);
  return chosen.length > 1 ? chosen : chosen[0]!;
}

function labelOf(part: string, options: { label: string }[]): string | undefined {
  const named = options.find(({ label }) => label === part);
  return (named ?? (/^\d+$/.test(part) ? options[Number(part) - 1] : undefined))?.label;
}
