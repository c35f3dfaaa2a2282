import { z } from 'zod';
import { editFile, previewEdit } from './edit-file.ts';
import { defineTool } from './tool.ts';
import type { Workspace } from './workspace.ts';

const Input = z.object({
  file_path: z.string().min(1),
  edits: z
    .array(z.object({ old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() }))
    .min(1)
    .describe('Applied in order, each to the result of the one before. All of them or none'),
});

export function multiEditTool(workspace: Workspace) {
  return defineTool<z.infer<typeof Input>>({
    name: 'MultiEdit',
    description: 'Several replacements in one file that you have read, all or none.',
    input: Input,
    gate: 'write',
    permission: 'permission',
    edits: ({ file_path }) => [file_path],
    preview: ({ file_path, edits }) => previewEdit(workspace, file_path, edits),
    run: ({ file_path, edits }) => editFile(workspace, file_path, edits),
  });
}
