import { ChevronsDownUp, ChevronsUpDown, Columns2, RefreshCw, Rows3 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ChangedFile, WorktreeDiff } from '../../../src/contract/worktrees.ts';
import type { CommentActions } from '../diffs/use-comments.ts';
import { LineCounts } from '../session/conversation/tool-part.tsx';
import { clip, countOf } from '../ui/format.ts';
import { Segmented } from '../ui/segmented.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { useIsPhone } from '../ui/use-is-phone.ts';
import { FileChanges } from './file-changes.tsx';

/** How many files start out expanded. */
const OPEN_FILES = 12;
const LARGE_LINES = 600;
const PAGE = 200;
const LAYOUT_KEY = 'diff-layout';

type Layout = 'unified' | 'split';
const LAYOUTS = [
  { value: 'unified' as const, label: 'Unified', icon: <Rows3 aria-hidden size={15} /> },
  { value: 'split' as const, label: 'Side by side', icon: <Columns2 aria-hidden size={15} /> },
];

interface Props {
  worktreeId: string;
  diff: WorktreeDiff;
  actions: CommentActions;
  isReloading: boolean;
  onReload: () => void;
}

export function DiffFiles({ worktreeId, diff, actions, isReloading, onReload }: Props) {
  const [layout, setLayout] = useState<Layout>(() =>
    localStorage.getItem(LAYOUT_KEY) === 'split' ? 'split' : 'unified',
  );
  const [limit, setLimit] = useState(PAGE);
  const isPhone = useIsPhone();
  const list = useRef<HTMLDivElement>(null);
  const choose = (next: Layout) => {
    setLayout(next);
    localStorage.setItem(LAYOUT_KEY, next);
  };
  const summaries = () => [...(list.current?.querySelectorAll<HTMLElement>('summary') ?? [])];
  const move = (step: number) => () => {
    const all = summaries();
    const at = all.findIndex((one) => one.parentElement?.contains(document.activeElement));
    const next = all[at < 0 ? 0 : at + step];
    next?.focus();
    next?.scrollIntoView({ block: 'start' });
  };
  const fold = (isOpen: boolean) => {
    for (const details of list.current?.querySelectorAll('details') ?? []) details.open = isOpen;
  };
  useShortcuts('Changes', [
    { keys: ['n', ']'], what: 'Next file', run: move(1) },
    { keys: ['p', '['], what: 'Previous file', run: move(-1) },
    { keys: ['s'], what: 'Unified or side by side', run: () => choose(layout === 'split' ? 'unified' : 'split') },
    { keys: ['ArrowDown', 'ArrowUp'], what: 'On a line number: move between lines' },
    { keys: ['Enter'], what: 'On a line number: comment on the line' },
  ]);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="text-ink-2">
          <span className="font-semibold text-ink">{countOf(diff.total, 'file')} changed</span>{' '}
          <LineCounts added={diff.added} removed={diff.removed} />
        </p>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <button type="button" className="icon-button" aria-label="Open all files" onClick={() => fold(true)}>
            <ChevronsUpDown aria-hidden size={16} />
          </button>
          <button type="button" className="icon-button" aria-label="Close all files" onClick={() => fold(false)}>
            <ChevronsDownUp aria-hidden size={16} />
          </button>
          <button type="button" className="button" disabled={isReloading} onClick={onReload}>
            <RefreshCw aria-hidden size={15} /> Reload
          </button>
          {!isPhone && <Segmented label="Layout" value={layout} options={LAYOUTS} onChange={choose} />}
        </div>
      </div>
      <div ref={list} className="flex flex-col gap-3">
        {diff.files.slice(0, limit).map((file, index) => (
          <File
            key={file.path}
            worktreeId={worktreeId}
            file={file}
            diff={diff}
            split={layout === 'split' && !isPhone}
            startsOpen={index < OPEN_FILES && file.added + file.removed <= LARGE_LINES}
            actions={actions}
          />
        ))}
      </div>
      {diff.files.length > limit && (
        <button type="button" className="button self-center" onClick={() => setLimit(limit + PAGE)}>
          Show {Math.min(PAGE, diff.files.length - limit)} of {diff.files.length - limit} more files
        </button>
      )}
      {diff.total > diff.files.length && (
        <p className="text-ink-3">Only the first {diff.files.length} files are listed.</p>
      )}
    </div>
  );
}

interface FileProps {
  worktreeId: string;
  file: ChangedFile;
  diff: Pick<WorktreeDiff, 'tree' | 'head'>;
  split: boolean;
  startsOpen: boolean;
  actions: CommentActions;
}

const CHANGES: Partial<Record<ChangedFile['change'], string>> = {
  added: 'new',
  deleted: 'deleted',
  type_changed: 'type changed',
};

function File({ worktreeId, file, diff, split, startsOpen, actions }: FileProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const { path, oldPath, change, added, removed, isBinary } = file;
  const comments = actions.comments.filter((comment) => comment.path === path && !comment.sent).length;
  return (
    <details
      className="panel changed-file"
      open={isOpen}
      data-file={path}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <bdi className="min-w-0 break-all font-mono font-medium">
          {oldPath !== null && <span className="text-ink-3">{clip(oldPath, { max: 300 })} → </span>}
          {clip(path, { max: 300 })}
        </bdi>
        {CHANGES[change] && <span className="text-ink-3">{CHANGES[change]}</span>}
        {comments > 0 && <span className="text-ink-2">{countOf(comments, 'comment')}</span>}
        <span className="ml-auto whitespace-nowrap">
          {isBinary ? <span className="text-ink-3">binary</span> : <LineCounts added={added} removed={removed} />}
        </span>
      </summary>
      {isOpen && <FileChanges worktreeId={worktreeId} file={file} diff={diff} split={split} actions={actions} />}
    </details>
  );
}
