import { z } from 'zod';
import { diff } from './edit-file.ts';
import { decodeText, NotText, readIfThere } from './read-text.ts';
import { defineTool, failed, ok } from './tool.ts';
import { realTarget, type Workspace } from './workspace.ts';
import { writeFileWhole } from './write-file.ts';

const Input = z.object({ file_path: z.string().min(1), content: z.string() });

export function writeTool(workspace: Workspace) {
  return defineTool<z.infer<typeof Input>>({
    name: 'Write',
    description: 'Create a file, or replace one that you have read.',
    input: Input,
    gate: 'write',
    permission: 'permission',
    edits: ({ file_path }) => [file_path],
    async preview({ file_path: given, content }) {
      const path = await realTarget(workspace.resolve(given));
      return diff(workspace, path, (await textNow(path)) ?? '', content);
    },
    async run({ file_path: given, content }) {
      const path = await realTarget(workspace.resolve(given));
      const before = await readIfThere(path);
      const state = before === undefined ? 'new' : workspace.state(path, before);
      if (state === 'unread') return failed(`${path} exists. Read it before you replace it.`);
      if (state === 'changed') return failed(`${path} changed since you read it. Read it again before you replace it.`);
      const bytes = Buffer.from(content);
      await writeFileWhole(path, bytes);
      workspace.remember(path, bytes);
      return ok(`${before === undefined ? 'Created' : 'Replaced'} ${workspace.show(path)} (${bytes.length} bytes).`);
    },
  });
}

async function textNow(path: string): Promise<string | undefined> {
  try {
    const content = await readIfThere(path);
    return content && decodeText(content, path);
  } catch (error) {
    if (error instanceof NotText) return undefined;
    throw error;
  }
}
