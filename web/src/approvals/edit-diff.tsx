import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import { splitHidden } from '../../../src/contract/hidden-characters.ts';
import type { FileDiff } from '../../../src/contract/messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { DiffLines } from '../ui/diff-lines.tsx';
import { clip } from '../ui/format.ts';
import { pathInProject } from '../ui/say-path.ts';
import type { Edit } from './edits-in.ts';
import { Revealed } from './revealed.tsx';

type Hunk = FileDiff['hunks'][number];
type Line = Hunk['lines'][number];

const CONTEXT_LINES = 3;
/** Two long texts that have nothing in common take too long to compare. */
const COMPARE_MS = 300;

/** The change that a call would make to a file. */
export default function EditDiff({ edits, folder }: { edits: Edit[]; folder?: string | null | undefined }) {
  const path = edits[0]?.path ?? '';
  return (
    <div className="edit-diff">
      <p className="flex items-center justify-between gap-2 px-2.5 py-1">
        <bdi title={clip(path, { max: 500 })} className="min-w-0 break-all font-mono text-[0.8571rem] font-medium">
          <Revealed text={pathInProject(path, folder)} />
        </bdi>
        <CopyButton text={path} what="path" />
      </p>
      {edits.map((edit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the edits of one call, in their order
        <OneEdit key={index} edit={edit} />
      ))}
    </div>
  );
}

function OneEdit({ edit }: { edit: Edit }) {
  const diff = useMemo(() => ({ path: edit.path, hunks: hunksOf(edit) }), [edit]);
  const count = (kind: Line['kind']) =>
    diff.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  return (
    <>
      <p className="flex flex-wrap gap-x-3 border-t border-line px-2.5 py-0.5 text-[0.8571rem] text-ink-3 tabular-nums">
        <span data-tone="green" className="text-tone">
          +{lines(count('added'))}
        </span>
        {edit.before !== null && (
          <span data-tone="red" className="text-tone">
            −{lines(count('removed'))}
          </span>
        )}
        <span>{clip(edit.note, { max: 120 })}</span>
      </p>
      <DiffLines diff={diff} wrap />
    </>
  );
}

const lines = (count: number) => (count === 1 ? '1 line' : `${count} lines`);

/** Without line numbers where the call does not say where in the file its text stands. */
function hunksOf({ path, before, after, note }: Edit): Hunk[] {
  if (before === null) return [{ lines: split(after).map((text, index) => added(text, note ? index + 1 : null)) }];
  const options = { context: CONTEXT_LINES, timeout: COMPARE_MS };
  const patch = structuredPatch(path, path, before, after, undefined, undefined, options);
  if (!patch) return [{ lines: [...split(before).map(removed), ...split(after).map((text) => added(text, null))] }];
  return patch.hunks.map((hunk) => ({ lines: hunk.lines.filter((line) => !line.startsWith('\\')).map(toLine) }));
}

const added = (text: string, newLine: number | null): Line => ({
  kind: 'added',
  text: spell(text),
  oldLine: null,
  newLine,
});
const removed = (text: string): Line => ({ kind: 'removed', text: spell(text), oldLine: null, newLine: null });

function toLine(line: string): Line {
  const text = line.slice(1);
  if (line.startsWith('+')) return added(text, null);
  return line.startsWith('-') ? removed(text) : { kind: 'same', text: spell(text), oldLine: null, newLine: null };
}

function split(text: string): string[] {
  const all = text.split('\n');
  return all.at(-1) === '' ? all.slice(0, -1) : all;
}

function spell(text: string): string {
  return splitHidden(text)
    .map((part) => (part.hidden ? `<${part.text}>` : part.text))
    .join('');
}
