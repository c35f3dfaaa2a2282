import { z } from 'zod';
import { editFile, previewEdit } from './edit-file.ts';
import { defineTool } from './tool.ts';
import type { Workspace } from './workspace.ts';

const Input = z.object({
  file_path: z.string().min(1),
  old_string: z.string().describe('Exact text in the file, without line numbers'),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});

export function editTool(workspace: Workspace) {
  return defineTool<z.infer<typeof Input>>({
    name: 'Edit',
    description: 'Replace exact text in a file that you have read.',
    input: Input,
    gate: 'write',
    permission: 'permission',
    edits: ({ file_path }) => [file_path],
    preview: ({ file_path, ...replacement }) => previewEdit(workspace, file_path, [replacement]),
    run: ({ file_path, ...replacement }) => editFile(workspace, file_path, [replacement]),
  });
}
