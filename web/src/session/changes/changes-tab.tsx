import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileDiff as FileDiffIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { FileChanges, UnseenCall } from '../../../../src/contract/messages.ts';
import { getChanges } from '../../../../src/contract/routes/messages.ts';
import { call, messageOf } from '../../api/request.ts';
import { CommentBar } from '../../diffs/comment-bar.tsx';
import { CommentNote } from '../../diffs/comment-note.tsx';
import { FileDiff } from '../../diffs/file-diff.tsx';
import { type CommentActions, useComments } from '../../diffs/use-comments.ts';
import { formatSeconds } from '../../ui/dates.ts';
import { pathInProject } from '../../ui/display-path.ts';
import { clip, clipLine, countOf } from '../../ui/format.ts';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { LineCounts } from '../conversation/tool-part.tsx';
import type { SessionFacts } from '../use-session-facts.ts';
import { commentsByEdit } from './comments-by-edit.ts';

/** Everything the session changed, file by file, to be commented on line by line. */
export default function ChangesTab({ facts, path }: { facts: SessionFacts; path: string | undefined }) {
  const { id, cwd, session } = facts;
  const { data, error, refetch } = useQuery({
    // Refetched when the transcript may have grown.
    queryKey: ['changes', id, session?.linesAdded ?? 0, session?.linesRemoved ?? 0],
    queryFn: ({ signal }) => call(getChanges, { params: { id }, signal }),
    placeholderData: (before) => before,
  });
  const actions = useComments({ kind: 'session', id });
  if (error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={8} what="the changes" />;
  const { files, unseen } = data;
  return (
    <div className="flex flex-col gap-5">
      {files.length === 0 ? (
        <Empty icon={FileDiffIcon} title="No changes">
          <p>No editing tool has changed a file in this session.</p>
        </Empty>
      ) : (
        <Summary files={files} />
      )}
      {unseen.total > 0 && <Unseen sessionId={id} total={unseen.total} calls={unseen.calls} />}
      {files.map((file) => (
        <File key={file.path} sessionId={id} file={file} folder={cwd} isSought={file.path === path} actions={actions} />
      ))}
      <CommentBar sessions={[{ id, title: facts.title, isLive: facts.isLive }]} actions={actions} />
    </div>
  );
}

function Summary({ files }: { files: FileChanges[] }) {
  const sum = (count: (file: FileChanges) => number) => files.reduce((total, file) => total + count(file), 0);
  return (
    <p className="text-ink-2">
      <span className="font-semibold text-ink">{countOf(files.length, 'file')} changed</span>{' '}
      <LineCounts added={sum(({ added }) => added)} removed={sum(({ removed }) => removed)} />
      <span className="text-ink-3">
        {' '}
        ·{' '}
        {countOf(
          sum(({ changes }) => changes.length),
          'edit',
        )}
        , subagents included
      </span>
    </p>
  );
}

interface FileProps {
  sessionId: string;
  file: FileChanges;
  folder: string | null;
  /** The file that was linked to. */
  isSought: boolean;
  actions: CommentActions;
}

function File({ sessionId, file, folder, isSought, actions }: FileProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(isSought);
  const ofFile = actions.comments.filter((comment) => comment.path === file.path);
  const { byEdit, stale } = commentsByEdit(ofFile, file.changes);
  const waiting = ofFile.filter(({ sent }) => sent === null).length;
  useEffect(() => {
    if (!isSought) return;
    setOpen(true);
    box.current?.scrollIntoView({ block: 'start' });
  }, [isSought]);
  return (
    <details
      ref={box}
      className="panel changed-file"
      open={isOpen}
      data-file={file.path}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <bdi className="min-w-0 break-all font-mono font-medium" title={clip(file.path, { max: 500 })}>
          {clip(pathInProject(file.path, folder), { max: 300 })}
        </bdi>
        {file.isNew && <span className="text-ink-3">new</span>}
        {waiting > 0 && <span className="text-ink-2">{countOf(waiting, 'comment')}</span>}
        <span className="ml-auto whitespace-nowrap">
          <LineCounts added={file.added} removed={file.removed} />
        </span>
      </summary>
      {isOpen && stale.length > 0 && (
        <div className="diff-thread">
          {stale.map((comment) => (
            <CommentNote key={comment.id} comment={comment} actions={actions} isStale />
          ))}
        </div>
      )}
      <ol>
        {(isOpen ? file.changes : []).map((change, index) => (
          <li key={change.toolUseId}>
            <p className="changed-by">
              <CallLink sessionId={sessionId} call={change} />
              {change.at !== null && <span className="tabular-nums">{formatSeconds(change.at)}</span>}
              {file.changes.length > 1 && <LineCounts added={change.added} removed={change.removed} />}
            </p>
            <FileDiff
              diff={{ path: file.path, hunks: change.hunks }}
              split={false}
              actions={{ ...actions, comments: byEdit[index] ?? [] }}
              commit={null}
            />
            {change.clipped && <p className="px-3 py-1.5 text-ink-3">Only part of this edit is shown.</p>}
          </li>
        ))}
      </ol>
    </details>
  );
}

function CallLink({
  sessionId,
  call,
}: {
  sessionId: string;
  call: Pick<UnseenCall, 'toolUseId' | 'agentId' | 'tool'>;
}) {
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId }}
      search={{ message: call.toolUseId, ...(call.agentId === null ? {} : { agent: call.agentId }) }}
      preload={false}
      className="row-link"
    >
      {clipLine(call.tool, 80)}
      {call.agentId !== null && ' by a subagent'}
    </Link>
  );
}

/** Shell commands change files too, and no transcript says which. */
function Unseen({ sessionId, total, calls }: { sessionId: string; total: number; calls: UnseenCall[] }) {
  return (
    <details className="notice unseen-calls" data-tone="gray">
      <summary>
        {countOf(total, 'shell or MCP call')} may have changed files too. The transcript doesn't record what{' '}
        {total === 1 ? 'it' : 'they'} changed.
      </summary>
      <ul>
        {calls.toReversed().map((call) => (
          <li key={call.toolUseId} className="flex min-w-0 gap-2">
            <CallLink sessionId={sessionId} call={call} />
            <bdi className="min-w-0 truncate font-mono">{call.summary}</bdi>
          </li>
        ))}
      </ul>
      {total > calls.length && <p className="text-ink-3">Only the last {calls.length} are listed.</p>}
    </details>
  );
}
