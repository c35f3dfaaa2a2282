import { useState } from 'react';
import type { FanOut, FanOutRun } from '../../../src/contract/fan-outs.ts';
import type { ChangedFile, WorktreeDiff } from '../../../src/contract/worktrees.ts';
import { CommentBar } from '../diffs/comment-bar.tsx';
import { useComments } from '../diffs/use-comments.ts';
import { LineCounts } from '../session/conversation/tool-part.tsx';
import { clip, countOf } from '../ui/format.ts';
import { FileChanges } from '../worktrees/file-changes.tsx';
import type { DiffOf } from './use-fan-outs.ts';

const SHOWN = 200;
const OPEN_FILES = 3;

/** Each changed file once, with every run's version of it side by side. */
export function RunDiffs({ runs, diffOf }: { runs: FanOut['runs']; diffOf: DiffOf }) {
  const byPath = new Map<string, Map<string, ChangedFile>>();
  for (const run of runs)
    for (const file of diffOf(run)?.files ?? [])
      byPath.set(file.path, (byPath.get(file.path) ?? new Map()).set(run.name, file));
  if (byPath.size === 0) return null;
  const paths = [...byPath.keys()].sort();
  return (
    <section aria-label="Changes" className="flex flex-col gap-3">
      <h2 className="font-semibold">{countOf(paths.length, 'file')} changed</h2>
      {paths.slice(0, SHOWN).map((path, index) => (
        <File
          key={path}
          path={path}
          runs={runs}
          files={byPath.get(path)!}
          diffOf={diffOf}
          startsOpen={index < OPEN_FILES}
        />
      ))}
      {paths.length > SHOWN && <p className="text-ink-3">Only the first {SHOWN} files are listed.</p>}
      {runs.map((run) => (
        <RunComments key={run.name} run={run} />
      ))}
    </section>
  );
}

interface FileProps {
  path: string;
  runs: FanOut['runs'];
  files: ReadonlyMap<string, ChangedFile>;
  diffOf: DiffOf;
  startsOpen: boolean;
}

function File({ path, runs, files, diffOf, startsOpen }: FileProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <details
      className="panel changed-file"
      open={isOpen}
      data-file={path}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <bdi className="min-w-0 break-all font-mono font-medium">{clip(path, { max: 300 })}</bdi>
        <span className="ml-auto whitespace-nowrap text-ink-3">
          {files.size} of {runs.length}
        </span>
      </summary>
      {isOpen && (
        <div className="fan-out-runs" data-diffs style={{ '--runs': runs.length } as React.CSSProperties}>
          {runs.map((run) => (
            <RunFile key={run.name} run={run} file={files.get(run.name)} diff={diffOf(run)} />
          ))}
        </div>
      )}
    </details>
  );
}

interface RunFileProps {
  run: FanOutRun;
  file: ChangedFile | undefined;
  diff: WorktreeDiff | undefined;
}

function RunFile({ run: { name, worktree }, file, diff }: RunFileProps) {
  const actions = useComments({ kind: 'worktree', id: worktree?.id ?? '' });
  return (
    <section aria-label={name} className="min-w-0">
      <h3 className="flex items-baseline justify-between gap-2 px-3 py-1.5 text-ink-2">
        {name} {file && <LineCounts added={file.added} removed={file.removed} />}
      </h3>
      {worktree && file && diff ? (
        <FileChanges worktreeId={worktree.id} file={file} diff={diff} split={false} actions={actions} />
      ) : (
        <p className="px-3 py-2 text-ink-3">Not changed</p>
      )}
    </section>
  );
}

/** Comments on one run's worktree, to be sent to its session. */
function RunComments({ run: { name, worktree, session } }: { run: FanOutRun }) {
  const actions = useComments({ kind: 'worktree', id: worktree?.id ?? '' });
  if (!worktree || !session) return null;
  return <CommentBar sessions={[{ id: session.id, title: name, isLive: session.hasRunner }]} actions={actions} />;
}
