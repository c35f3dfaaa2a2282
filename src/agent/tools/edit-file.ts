import { createTwoFilesPatch } from 'diff';
import { decodeText, readIfThere } from './read-text.ts';
import { NoMatch, type Replacement, replaceText } from './replace-text.ts';
import { failed, ok, type ToolOutput } from './tool.ts';
import { realTarget, type Workspace } from './workspace.ts';
import { writeFileWhole } from './write-file.ts';

/**
 * Reads, changes and writes a file. Runs after the approval, so it checks the file's current content: a change that the agent hasn't seen
 * is a conflict, unless every replacement still matches exactly once.
 */
export async function editFile(workspace: Workspace, given: string, replacements: Replacement[]): Promise<ToolOutput> {
  const path = await realTarget(workspace.resolve(given));
  const before = await readIfThere(path);
  if (before === undefined) return failed(`There is no file ${path}. Use Write to create it.`);
  const state = workspace.state(path, before);
  if (state === 'unread') return failed(`Read ${path} before you change it.`);
  const text = decodeText(before, path);
  let after: string;
  try {
    after = replacements.reduce(replaceText, text);
  } catch (error) {
    if (!(error instanceof NoMatch)) throw error;
    if (state === 'current') return failed(`${path}: ${error.message}`);
    workspace.remember(path, before);
    return failed(
      `${path} changed since you read it, and the edit no longer fits: ${error.message} Its content now:\n${excerpt(text)}`,
    );
  }
  const content = Buffer.from(after);
  await writeFileWhole(path, content);
  workspace.remember(path, content);
  const changed = state === 'changed' ? ' It had changed since you read it; the edit still fit.' : '';
  return ok(`Changed ${workspace.show(path)}.${changed}\n${diff(workspace, path, text, after)}`);
}

/** The preview for the operator. Throws if the edit does not apply. */
export async function previewEdit(
  workspace: Workspace,
  given: string,
  replacements: Replacement[],
): Promise<string | undefined> {
  const path = await realTarget(workspace.resolve(given));
  const before = await readIfThere(path);
  if (before === undefined) return undefined;
  const text = decodeText(before, path);
  return diff(workspace, path, text, replacements.reduce(replaceText, text));
}

export function diff(workspace: Workspace, path: string, before: string, after: string): string {
  const name = workspace.show(path);
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3 })
    .split('\n')
    .filter((line) => !line.startsWith('====') && !line.startsWith('\\ No newline'))
    .join('\n')
    .trimEnd();
}

const EXCERPT = 8000;

function excerpt(text: string): string {
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}\n[cut off: read the file for the rest]` : text;
}
