import { Link } from '@tanstack/react-router';
import { ChevronsUp, ListOrdered, Pause, Play, X } from 'lucide-react';
import { useRef } from 'react';
import type { QueueEntry, QueueView } from '../../../src/contract/queue.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { useRole } from '../access/use-role.ts';
import { messageOf } from '../api/request.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { formatTime } from '../ui/dates.ts';
import { displayPath } from '../ui/display-path.ts';
import { clipLine } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { useQueue, useQueueActions } from './use-queue.ts';

/** Running and waiting sessions, and why they wait. */
export function QueuePage() {
  const { data, error, isPending, refetch } = useQueue();
  const { pause, resume } = useQueueActions();
  const list = useRef<HTMLDivElement>(null);
  const isPaused = data?.pause != null;
  const toggle = () => (isPaused ? resume : pause).mutate();
  const move = (step: number) => () => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-queued]') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = rows[at < 0 ? 0 : at + step];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const viewer = useRole() === 'viewer';
  useShortcuts('Queue', [
    { keys: ['j', 'ArrowDown'], what: 'Next', run: move(1) },
    { keys: ['k', 'ArrowUp'], what: 'Previous', run: move(-1) },
    ...(viewer ? [] : [{ keys: ['p'], what: isPaused ? 'Resume the queue' : 'Pause the queue', run: toggle }]),
  ]);
  return (
    <Page
      title="Queue"
      actions={
        data && (
          <ForOperators>
            <LimitField view={data} />
            <button type="button" className="button" onClick={toggle}>
              {isPaused ? <Play aria-hidden size={16} /> : <Pause aria-hidden size={16} />}
              {isPaused ? 'Resume' : 'Pause'}
            </button>
          </ForOperators>
        )
      }
    >
      <div ref={list} className="mx-auto flex max-w-[70rem] flex-col gap-6">
        <ViewerNote />
        {isPending && <Skeleton lines={6} what="the queue" />}
        {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
        {data && <Standing view={data} />}
        {data && data.running.length + data.total === 0 && (
          <Empty icon={ListOrdered} title="Nothing queued">
            <p>Sessions you start from here run right away while there's room, and wait here otherwise.</p>
            <code className="code">gctl new nightly --at 22:00 -p "…"</code>
          </Empty>
        )}
        {data && data.running.length > 0 && <Section title="Running" entries={data.running} />}
        {data && data.waiting.length > 0 && <Section title="Waiting" entries={data.waiting} isWaiting />}
        {data && data.total > data.waiting.length && (
          <p className="text-ink-3">{data.total - data.waiting.length} more are waiting.</p>
        )}
      </div>
    </Page>
  );
}

function Standing({ view: { pause, allowed, limits } }: { view: QueueView }) {
  if (pause)
    return (
      <p className="notice" data-tone="amber">
        {pause.why}.{' '}
        {pause.until === null ? 'Nothing starts until you resume.' : `Resumes at ${formatTime(pause.until)}.`}
      </p>
    );
  if (allowed >= limits.machine) return null;
  return (
    <p className="notice" data-tone="amber">
      {allowed} of {limits.machine} allowed for now, after a usage limit or an overloaded model.
    </p>
  );
}

function LimitField({ view: { limits, isAutomatic } }: { view: QueueView }) {
  const { limit } = useQueueActions();
  const options = [...new Set([1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, limits.machine])].sort((a, b) => a - b);
  return (
    <label className="flex items-center gap-2 text-ink-2">
      Run at once
      <select
        className="field w-auto"
        value={isAutomatic ? 'auto' : String(limits.machine)}
        onChange={({ target }) => limit.mutate(target.value === 'auto' ? null : Number(target.value))}
      >
        <option value="auto">{isAutomatic ? `Automatic (${limits.machine})` : 'Automatic'}</option>
        {options.map((count) => (
          <option key={count} value={count}>
            {count}
          </option>
        ))}
      </select>
    </label>
  );
}

function Section({ title, entries, isWaiting = false }: { title: string; entries: QueueEntry[]; isWaiting?: boolean }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 font-semibold">
        {title} <span className="font-normal text-ink-3">{entries.length}</span>
      </h2>
      <ol className="panel divide-y divide-line">
        {entries.map((entry, index) => (
          <li key={entry.id} className="queue-row">
            <Entry entry={entry} isWaiting={isWaiting} isFirst={index === 0} top={entries[0]?.priority ?? 0} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface EntryProps {
  entry: QueueEntry;
  isWaiting: boolean;
  isFirst: boolean;
  /** The priority that puts a session first in line. */
  top: number;
}

function Entry({ entry, isWaiting, isFirst, top }: EntryProps) {
  const { id, name, prompt, project, priority, startAt, waitsFor, lifecycle, createdAt, startedAt } = entry;
  const { move, cancel } = useQueueActions();
  return (
    <>
      <Link to="/sessions/$sessionId" params={{ sessionId: id }} className="queue-what" data-queued={name}>
        <span className="block font-medium">
          {name} <span className="font-normal text-ink-3">{clipLine(prompt, 120)}</span>
        </span>
        <span className="block text-sm text-ink-3">
          {waitsFor ??
            (lifecycle === 'waiting_for_agent' ? 'Starting' : isWaiting ? 'Waiting for its turn' : 'Running')}
          {startAt !== null && isWaiting && ` · ${formatTime(startAt)}`}
          {priority !== 0 && ` · priority ${priority}`}
          {project && ` · ${displayPath(project)}`}
        </span>
      </Link>
      <span className="whitespace-nowrap text-sm text-ink-3">
        <Elapsed since={startedAt ?? createdAt} />
      </span>
      {isWaiting && (
        <ForOperators>
          <button
            type="button"
            className="icon-button"
            aria-label={`Start ${name} first`}
            disabled={isFirst || top >= 1000}
            onClick={() => move.mutate({ id, priority: Math.min(1000, top + 1) })}
          >
            <ChevronsUp aria-hidden size={16} />
          </button>
          <button type="button" className="icon-button" aria-label={`Cancel ${name}`} onClick={() => cancel.mutate(id)}>
            <X aria-hidden size={16} />
          </button>
        </ForOperators>
      )}
    </>
  );
}
