/** One change to a file. `before` is null if the call doesn't include the old text. */
export interface Edit {
  path: string;
  before: string | null;
  after: string;
  /** Where it applies, in words. */
  note: string;
  /** An edit of unknown shape, as received: shown rather than left out. */
  malformed?: string;
}

/** The changes an editing call would make. null for other tools and for calls of an unknown shape. */
export function editsIn(toolName: string, input: Record<string, unknown>): Edit[] | null {
  const path = text(input.file_path) ?? text(input.notebook_path);
  if (path === null) return null;
  if (toolName === 'Write') return oneEdit(path, null, text(input.content), 'Whole file');
  if (toolName === 'NotebookEdit') return oneEdit(path, null, text(input.new_source) ?? '', cellNote(input));
  if (toolName === 'Edit') return oneEdit(path, text(input.old_string), text(input.new_string), everywhere(input));
  if (toolName !== 'MultiEdit' || !Array.isArray(input.edits)) return null;
  const edits = input.edits.map((edit: unknown) => stepOf(path, edit));
  return edits.some(({ malformed }) => malformed === undefined) ? edits : null;
}

function stepOf(path: string, edit: unknown): Edit {
  if (typeof edit === 'object' && edit !== null && 'old_string' in edit && 'new_string' in edit) {
    const [before, after] = [text(edit.old_string), text(edit.new_string)];
    if (before !== null && after !== null) return { path, before, after, note: everywhere({ ...edit }) };
  }
  const malformed = JSON.stringify(edit, null, 2) ?? 'nothing';
  return { path, before: null, after: '', note: 'Invalid edit', malformed };
}

function oneEdit(path: string, before: string | null, after: string | null, note: string): Edit[] | null {
  return after === null ? null : [{ path, before, after, note }];
}

function cellNote({ edit_mode, cell_id }: Record<string, unknown>): string {
  const cell = text(cell_id) ? `cell ${text(cell_id)?.slice(0, 60)}` : 'a cell';
  if (edit_mode === 'delete') return `Deletes ${cell}`;
  return edit_mode === 'insert' ? `New cell after ${cell}` : `Replaces ${cell}`;
}

const everywhere = ({ replace_all }: Record<string, unknown>) => (replace_all === true ? 'Every occurrence' : '');

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
