import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import type { FileDiff as FileDiffData } from '../../../src/contract/messages.ts';
import { useRole } from '../access/use-role.ts';
import { clip } from '../ui/format.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentNote } from './comment-note.tsx';
import { keyOf, type LineKey, placeComments, placeName } from './comment-places.ts';
import { type DiffLine, type LinePair, pairLines } from './pair-lines.ts';
import type { CommentActions } from './use-comments.ts';

const FIRST_LINES = 300;
const MORE_LINES = 1000;
const MAX_LINE_CHARS = 2000;
const SIGN = { same: ' ', added: '+', removed: '−' } as const;
const SPOKEN = { same: '', added: 'Added: ', removed: 'Removed: ' } as const;

interface Props {
  diff: Pick<FileDiffData, 'path' | 'hunks'>;
  /** Two columns, if there is room. */
  split: boolean;
  actions: CommentActions;
  /** HEAD of the diff being shown. */
  commit: string | null;
}

/** A file's changes. Any line can be commented on. */
export function FileDiff({ diff, split, actions, commit }: Props) {
  const { path, hunks } = diff;
  const [limit, setLimit] = useState(FIRST_LINES);
  const [writing, setWriting] = useState<string | null>(null);
  const viewer = useRole() === 'viewer';
  const box = useRef<HTMLElement>(null);
  const shown = useMemo(() => cut(hunks, limit), [hunks, limit]);
  const total = useMemo(() => hunks.reduce((sum, { lines }) => sum + lines.length, 0), [hunks]);
  const ofFile = actions.comments.filter((comment) => comment.path === path);
  const placed = placeComments(
    ofFile,
    hunks.flatMap(({ lines }) => lines),
  );
  const close = () => {
    const name = writing;
    setWriting(null);
    // return the focus to the line, not to the top of the page
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-line="${name}"]`)?.focus());
  };
  const below = (line: DiffLine | null): ReactNode => {
    const key = line && keyOf(line);
    if (!key) return null;
    const name = placeName(key);
    const comments = placed.byLine.get(name) ?? [];
    if (comments.length === 0 && writing !== name) return null;
    return (
      <div className="diff-thread">
        {comments.map((comment) => (
          <CommentNote key={comment.id} comment={comment} actions={actions} />
        ))}
        {writing === name && (
          <CommentForm
            label={`Comment on line ${key.line}`}
            submit="Add comment"
            onSubmit={(text) => {
              actions.add.mutate({ path, ...key, commit, text });
              close();
            }}
            onCancel={close}
          />
        )}
      </div>
    );
  };
  const gutter = (line: DiffLine | null) => {
    const key = line && keyOf(line);
    return key ? (
      <Gutter lineKey={key} isDisabled={viewer} onComment={() => setWriting(placeName(key))} />
    ) : (
      <span className="diff-number" />
    );
  };
  return (
    <section
      ref={box}
      aria-label={`Changes in ${clip(path, { max: 200 })}`}
      className="file-diff"
      data-split={split || undefined}
      onKeyDown={moveLine}
    >
      {placed.stale.length > 0 && (
        <div className="diff-thread">
          {placed.stale.map((comment) => (
            <CommentNote key={comment.id} comment={comment} actions={actions} isStale />
          ))}
        </div>
      )}
      {shown.map((lines, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hunks of one diff, which never move
        <div key={index} className="diff-hunk">
          {split
            ? pairLines(lines).map((pair, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of one diff, which never move
                <SplitRow key={at} pair={pair} gutter={gutter} below={below} />
              ))
            : lines.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of one diff, which never move
                <UnifiedRow key={at} line={line} gutter={gutter(line)} below={below(line)} />
              ))}
        </div>
      ))}
      {total > limit && (
        <button type="button" className="diff-more" onClick={() => setLimit(limit + MORE_LINES)}>
          Show {Math.min(MORE_LINES, total - limit)} of {total - limit} more lines
        </button>
      )}
    </section>
  );
}

function cut(hunks: FileDiffData['hunks'], limit: number): DiffLine[][] {
  let left = limit;
  return hunks.flatMap(({ lines }) => {
    const some = lines.slice(0, Math.max(0, left));
    left -= some.length;
    return some.length > 0 ? [some] : [];
  });
}

/** Arrow keys move from line to line, so Tab doesn't have to stop at each one. */
function moveLine(event: KeyboardEvent<HTMLElement>) {
  const target = event.target as HTMLElement;
  if (!target.matches('[data-line]') || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step === undefined) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  const next = all[all.indexOf(target) + step];
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function Gutter({ lineKey, isDisabled, onComment }: { lineKey: LineKey; isDisabled: boolean; onComment: () => void }) {
  return (
    <button
      type="button"
      className="diff-number diff-gutter"
      data-line={placeName(lineKey)}
      aria-label={`Comment on ${lineKey.side === 'old' ? 'removed ' : ''}line ${lineKey.line}`}
      disabled={isDisabled}
      onClick={onComment}
    >
      {lineKey.line}
    </button>
  );
}

function UnifiedRow({ line, gutter, below }: { line: DiffLine; gutter: ReactNode; below: ReactNode }) {
  return (
    <>
      <div className="diff-row" data-kind={line.kind}>
        {gutter}
        <Code line={line} />
      </div>
      {below}
    </>
  );
}

interface SplitProps {
  pair: LinePair;
  gutter: (line: DiffLine | null) => ReactNode;
  below: (line: DiffLine | null) => ReactNode;
}

function SplitRow({ pair, gutter, below }: SplitProps) {
  const isSame = pair.old === pair.new;
  return (
    <>
      <div className="diff-pair">
        <div className="diff-row" data-kind={pair.old?.kind ?? 'none'}>
          {isSame ? <span className="diff-number">{pair.old?.oldLine}</span> : gutter(pair.old)}
          {pair.old && <Code line={pair.old} isSilent={isSame} />}
        </div>
        <div className="diff-row" data-kind={pair.new?.kind ?? 'none'}>
          {gutter(pair.new)}
          {pair.new && <Code line={pair.new} />}
        </div>
      </div>
      {!isSame && below(pair.old)}
      {below(pair.new)}
    </>
  );
}

/** `isSilent`: hidden from screen readers, because the other column has the same text. */
function Code({ line, isSilent = false }: { line: DiffLine; isSilent?: boolean }) {
  return (
    <>
      <span aria-hidden className="diff-sign">
        {SIGN[line.kind]}
      </span>
      <span className="sr-only">{isSilent ? '' : SPOKEN[line.kind]}</span>
      <span className="diff-text" dir="ltr" aria-hidden={isSilent || undefined}>
        {clip(line.text, { max: MAX_LINE_CHARS }) || ' '}
      </span>
    </>
  );
}
