import { useQuery } from '@tanstack/react-query';
import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import { splitHidden } from '../../../src/contract/hidden-characters.ts';
import type { FileDiff } from '../../../src/contract/messages.ts';
import { previewApprovalEdit } from '../../../src/contract/routes/approvals.ts';
import { call } from '../api/request.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { DiffLines } from '../ui/diff-lines.tsx';
import { clip, countOf } from '../ui/format.ts';
import { pathInProject } from '../ui/say-path.ts';
import { CallText } from './call-text.tsx';
import { Comparing } from './comparing.tsx';
import type { Edit } from './edits-in.ts';
import { Revealed } from './revealed.tsx';

type Hunk = FileDiff['hunks'][number];
type Line = Hunk['lines'][number];

const CONTEXT_LINES = 3;
/** Two long texts that have nothing in common take too long to compare. */
const COMPARE_MS = 300;

interface Props {
  edits: Edit[];
  folder?: string | null | undefined;
  approvalId?: string | undefined;
}

/** The change that a call would make to a file: by the file where it can be read, with line numbers, else by the call. */
export default function EditDiff({ edits, folder, approvalId }: Props) {
  const path = edits[0]?.path ?? '';
  const { preview, isPending } = useEditPreview(approvalId);
  const byFile = preview?.diff && !preview.diff.clipped ? preview.diff : null;
  if (isPending) return <Comparing />;
  return (
    <div className="edit-diff">
      <p className="flex items-center justify-between gap-2 px-2.5 py-1">
        <bdi title={clip(path, { max: 500 })} className="min-w-0 break-all font-mono text-[0.8571rem] font-medium">
          <Revealed text={pathInProject(path, folder)} />
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

/** Read once for each time that it is shown: the file may have changed since. */
function useEditPreview(approvalId: string | undefined) {
  const { data, isLoading } = useQuery({
    queryKey: ['edit-preview', approvalId],
    queryFn: ({ signal }) => call(previewApprovalEdit, { params: { id: approvalId ?? '' }, signal }),
    enabled: approvalId !== undefined,
    // the diff of the call is shown instead
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

/** `removed` is null where nothing is known of what was there. */
function Counts({ added, removed, note }: { added: number; removed: number | null; note: string }) {
  return (
    <p className="flex flex-wrap gap-x-3 border-t border-line px-2.5 py-0.5 text-[0.8571rem] text-ink-3 tabular-nums">
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
