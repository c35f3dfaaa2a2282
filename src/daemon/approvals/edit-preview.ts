import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Approval, EditPreview } from '../../contract/approvals.ts';
import { compareTexts, type Hunk, toFileDiff } from '../diffs/compare-texts.ts';
import { maskSecrets } from '../masking/mask-secrets.ts';

/** Longer files can be edited, but nobody reads a diff of them on a card. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_LINES = 5_000;

type Call = Pick<Approval, 'toolName' | 'toolInput' | 'cwd'>;

/** What a requested edit would do to the file on disk. */
export async function previewEdit({ toolName, toolInput, cwd }: Call): Promise<EditPreview> {
  const edit = editOf(toolName, toolInput);
  if (!edit) return { diff: null, note: null };
  const path = isAbsolute(edit.path) ? edit.path : cwd ? join(cwd, edit.path) : null;
  if (path === null) return { diff: null, note: null };
  const file = await readPlainFile(path);
  if (file.problem !== null) return { diff: null, note: file.problem };
  const after = edit.apply(file.text);
  if (after.problem !== null) return { diff: null, note: after.problem };
  const hunks = maskWhatTheFileSays(compareTexts(file.text, after.text), { ownsRemoved: toolName !== 'Write' });
  return { diff: toFileDiff(edit.path, hunks, MAX_LINES), note: noteOn(toolName, file) };
}

type Text = { text: string; problem: null } | { text: null; problem: string };
type File = Text & { isMissing?: boolean };

interface Edit {
  path: string;
  apply: (before: string) => Text;
}

function editOf(toolName: string, input: Record<string, unknown>): Edit | null {
  const path = input.file_path;
  if (typeof path !== 'string') return null;
  if (toolName === 'Write') {
    const { content } = input;
    return typeof content === 'string' ? { path, apply: () => ({ text: content, problem: null }) } : null;
  }
  const steps = toolName === 'Edit' ? [input] : toolName === 'MultiEdit' ? input.edits : null;
  if (!Array.isArray(steps) || !steps.every(isReplacement)) return null;
  return { path, apply: (before) => replaceAll(before, steps) };
}

interface Replacement {
  old_string: string;
  new_string: string;
  replace_all?: unknown;
}

function isReplacement(value: unknown): value is Replacement {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'old_string' in value &&
    typeof value.old_string === 'string' &&
    'new_string' in value &&
    typeof value.new_string === 'string'
  );
}

function replaceAll(before: string, steps: readonly Replacement[]): Text {
  let text = before;
  for (const { old_string, new_string, replace_all } of steps) {
    // An edit with empty old text creates the file.
    if (old_string === '' && text === '') {
      text = new_string;
      continue;
    }
    const at = old_string === '' ? -1 : text.indexOf(old_string);
    if (at === -1) return { text: null, problem: 'The text to replace is not in the file, so this edit would fail.' };
    if (replace_all === true) text = text.split(old_string).join(new_string);
    else if (text.indexOf(old_string, at + 1) !== -1)
      return {
        text: null,
        problem: 'The text to replace is in the file more than once, so this edit would fail.',
      };
    else text = text.slice(0, at) + new_string + text.slice(at + old_string.length);
  }
  return { text, problem: null };
}

/** Never a pipe or device, which an agent could name to block us, and never through a link. */
async function readPlainFile(path: string): Promise<File> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return { text: '', problem: null, isMissing: true };
    if (code === undefined) throw error;
    return { text: null, problem: `Can't read the file (${code}), so line numbers are missing.` };
  }
  try {
    const info = await file.stat();
    if (!info.isFile()) return { text: null, problem: "This isn't a regular file." };
    if (info.size > MAX_BYTES)
      return { text: null, problem: 'The file is larger than 2 MB, so line numbers are missing.' };
    return { text: await file.readFile('utf8'), problem: null };
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The operator decides on the call's own text. Anything else in the file may be a secret. */
function maskWhatTheFileSays(hunks: Hunk[], { ownsRemoved }: { ownsRemoved: boolean }): Hunk[] {
  const isFromFile = (kind: Hunk['lines'][number]['kind']) => kind === 'same' || (kind === 'removed' && !ownsRemoved);
  return hunks.map(({ lines }) => ({
    lines: lines.map((line) => (isFromFile(line.kind) ? { ...line, text: maskSecrets(line.text) } : line)),
  }));
}

function noteOn(toolName: string, { isMissing }: File): string | null {
  if (isMissing) return 'New file';
  return toolName === 'Write' ? 'Overwrites the whole file' : null;
}
