import { useQuery } from '@tanstack/react-query';
import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import { splitHidden } from '../../../../src/contract/hidden-characters.ts';
import type { FileDiff } from '../../../../src/contract/messages.ts';
import { previewApprovalEdit } from '../../../../src/contract/routes/approvals.ts';
import { call } from '../../api/request.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DiffLines } from '../../ui/diff-lines.tsx';
import { pathInProject } from '../../ui/display-path.ts';
import { clip, countOf } from '../../ui/format.ts';
import { CallText } from './call-text.tsx';
import { DiffPlaceholder } from './diff-placeholder.tsx';
import type { Edit } from './edits-in.ts';
import { RevealHidden } from './reveal-hidden.tsx';

type Hunk = FileDiff['hunks'][number];
type Line = Hunk['lines'][number];

const CONTEXT_LINES = 3;
/** Comparing two long, unrelated texts takes too long. */
const COMPARE_MS = 300;

interface Props {
  edits: Edit[];
  folder?: string | null | undefined;
  approvalId?: string | undefined;
}

/** The file change a call would make: compared with the file, with line numbers, if it is readable; otherwise from the call alone. */
export default function EditDiff({ edits, folder, approvalId }: Props) {
  const path = edits[0]?.path ?? '';
  const { preview, isPending } = useEditPreview(approvalId);
  const byFile = preview?.diff && !preview.diff.clipped ? preview.diff : null;
  if (isPending) return <DiffPlaceholder />;
  return (
    <div className="edit-diff">
      <p className="flex items-center justify-between gap-2 px-2.5 py-1">
        <bdi title={clip(path, { max: 500 })} className="min-w-0 break-all font-mono text-xs font-medium">
          <RevealHidden text={pathInProject(path, folder)} />
        </bdi>
        <CopyButton text={path} what="path" />
      </p>
      {byFile ? (
        <FileEdit diff={byFile} note={preview?.note ?? null} />
      ) : (
        edits.map((edit, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the edits of one call, in their order
          <OneEdit key={index} edit={edit} />
        ))
      )}
      {!byFile && preview?.note && (
        <p role="note" className="border-t border-line px-2.5 py-1 text-ink-2">
          {preview.note}
        </p>
      )}
    </div>
  );
}

/** Read once per view, since the file may have changed. */
function useEditPreview(approvalId: string | undefined) {
  const { data, isLoading } = useQuery({
    queryKey: ['edit-preview', approvalId],
    queryFn: ({ signal }) => call(previewApprovalEdit, { params: { id: approvalId ?? '' }, signal }),
    enabled: approvalId !== undefined,
    // Falls back to the diff from the call.
    retry: false,
    refetchOnWindowFocus: false,
  });
  return { preview: data, isPending: isLoading };
}

function FileEdit({ diff: given, note }: { diff: FileDiff; note: string | null }) {
  const diff = useMemo(() => ({ path: given.path, hunks: given.hunks.map(spellHunk) }), [given]);
  return (
    <>
      <Counts added={given.added} removed={note === 'New file' ? null : given.removed} note={note ?? ''} />
      <DiffLines diff={diff} wrap />
    </>
  );
}

function OneEdit({ edit }: { edit: Edit }) {
  const diff = useMemo(() => ({ path: edit.path, hunks: hunksOf(edit) }), [edit]);
  const count = (kind: Line['kind']) =>
    diff.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  if (edit.malformed !== undefined)
    return (
      <div className="flex flex-col gap-1 border-t border-line px-2.5 py-1.5">
        <p data-tone="red" className="text-tone">
          {edit.note}: Claude Code will probably reject this call.
        </p>
        <CallText text={edit.malformed} label="Invalid edit" />
      </div>
    );
  return (
    <>
      <Counts
        added={count('added')}
        removed={edit.before === null ? null : count('removed')}
        note={clip(edit.note, { max: 120 })}
      />
      <DiffLines diff={diff} wrap />
    </>
  );
}

/** `removed` is null if the old content is unknown. */
function Counts({ added, removed, note }: { added: number; removed: number | null; note: string }) {
  return (
    <p className="flex flex-wrap gap-x-3 border-t border-line px-2.5 py-0.5 text-xs text-ink-3 tabular-nums">
      <span data-tone="green" className="text-tone">
        +{countOf(added, 'line')}
      </span>
      {removed !== null && (
        <span data-tone="red" className="text-tone">
          −{countOf(removed, 'line')}
        </span>
      )}
      <span>{note}</span>
    </p>
  );
}

const spellHunk = ({ lines }: Hunk): Hunk => ({ lines: lines.map((line) => ({ ...line, text: spell(line.text) })) });

/** No line numbers if the call doesn't say where in the file its text is. */
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
