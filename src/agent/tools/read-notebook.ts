import { z } from 'zod';
import { capText } from './cap-text.ts';
import { failed, ok, type ToolOutput } from './tool.ts';

const Lines = z
  .union([z.string(), z.array(z.string())])
  .transform((lines) => (Array.isArray(lines) ? lines.join('') : lines));
const Output = z.looseObject({
  text: Lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const Notebook = z.looseObject({
  cells: z.array(z.looseObject({ cell_type: z.string(), source: Lines, outputs: z.array(Output).optional() })),
});

const LONGEST_OUTPUT = 4000;

/** The cells in order, each with its output. */
export function readNotebook(text: string): ToolOutput {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return failed(`The notebook is not valid JSON: ${(error as Error).message}`);
  }
  const parsed = Notebook.safeParse(json);
  if (!parsed.success) return failed('The file is not a Jupyter notebook.');
  const cells = parsed.data.cells.map(({ cell_type: type, source, outputs = [] }, at) => {
    const printed = outputs.map(printedBy).filter((output) => output !== '');
    return [
      `[cell ${at + 1}, ${type}]`,
      source,
      ...printed.map((output) => `[output]\n${capText(output, LONGEST_OUTPUT)}`),
    ].join('\n');
  });
  return ok(cells.join('\n\n') || '(the notebook is empty)');
}

function printedBy({ text, data, ename, evalue }: z.infer<typeof Output>): string {
  if (ename !== undefined) return `${ename}: ${evalue ?? ''}`;
  if (text !== undefined) return text;
  const plain = Lines.safeParse(data?.['text/plain']);
  return plain.success ? plain.data : Object.keys(data ?? {}).join(', ');
}
