import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { z } from 'zod';
import { readImage } from './read-image.ts';
import { readNotebook } from './read-notebook.ts';
import { readPdf } from './read-pdf.ts';
import { decodeText, readIfThere } from './read-text.ts';
import { defineTool, failed, ok, type ToolOutput } from './tool.ts';
import { realTarget, type Workspace } from './workspace.ts';

const MOST_LINES = 2000;
const LONGEST_LINE = 2000;

export function readTool(workspace: Workspace) {
  return defineTool({
    name: 'Read',
    description:
      'Read a file: text with line numbers, an image, a notebook (.ipynb) or the text of a PDF. Up to 2000 lines at once; use offset and limit for the rest.',
    input: z.object({
      file_path: z.string().min(1),
      offset: z.number().int().min(1).optional().describe('First line (of a PDF: first page), counted from 1'),
      limit: z.number().int().min(1).max(MOST_LINES).optional(),
    }),
    gate: 'read',
    permission: 'permission',
    async run({ file_path: given, offset = 1, limit = MOST_LINES }): Promise<ToolOutput> {
      const path = workspace.resolve(given);
      const kind = await stat(path).catch(() => undefined);
      if (!kind) return failed(`There is no file ${path}.`);
      if (kind.isDirectory()) return failed(`${path} is a directory. Use Glob, or Bash with ls.`);
      // reading a pipe or a device would never end
      if (!kind.isFile()) return failed(`${path} is not a regular file.`);
      const real = await realTarget(path);
      const content = (await readIfThere(real)) ?? Buffer.alloc(0);
      const extension = extname(path).toLowerCase();
      const image = await readImage(content, extension);
      if (image) return image;
      if (extension === '.pdf') return readPdf(content, offset);
      const text = decodeText(content, path);
      workspace.remember(real, content);
      if (extension === '.ipynb') return readNotebook(text);
      return ok(numbered(text, offset, limit));
    },
  });
}

function numbered(text: string, offset: number, limit: number): string {
  if (text === '') return '(the file is empty)';
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (offset > lines.length) return `(the file has ${lines.length} lines)`;
  const shown = lines.slice(offset - 1, offset - 1 + limit).map((line, at) => `${offset + at}\t${shorten(line)}`);
  const left = lines.length - (offset - 1 + shown.length);
  if (left > 0) shown.push(`[${left} more lines: continue with offset ${offset + shown.length}]`);
  return shown.join('\n');
}

function shorten(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} [line cut off, ${line.length} characters]` : line;
}
