import { Link } from '@tanstack/react-router';
import { Plus, Split } from 'lucide-react';
import { useRef, useState } from 'react';
import type { FanOutSummary } from '../../../src/contract/fan-outs.ts';
import { isFinished } from '../../../src/contract/lifecycles.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { useRole } from '../access/use-role.ts';
import { messageOf } from '../api/request.ts';
import { formatDateTime } from '../ui/dates.ts';
import { displayPath } from '../ui/display-path.ts';
import { clipLine, countOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { FanOutMark } from './fan-out-mark.tsx';
import { NewFanOutDialog } from './new-fan-out-dialog.tsx';
import { useFanOuts } from './use-fan-outs.ts';

/** One prompt, several agents: compare them and keep the best. */
export function FanOutsPage() {
  const { data, error, isPending, refetch } = useFanOuts();
  const [isCreating, setCreating] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const viewer = useRole() === 'viewer';
  const move = (step: number) => () => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('a') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLAnchorElement);
    rows[at < 0 ? 0 : at + step]?.focus();
  };
  useShortcuts('Fan-outs', [
    { keys: ['j', 'ArrowDown'], what: 'Next', run: move(1) },
    { keys: ['k', 'ArrowUp'], what: 'Previous', run: move(-1) },
    ...(viewer ? [] : [{ keys: ['n'], what: 'New fan-out', notInWords: true, run: () => setCreating(true) }]),
  ]);
  return (
    <Page
      title="Fan-outs"
      actions={
        <ForOperators>
          <button type="button" className="button" data-kind="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden size={16} /> New fan-out
          </button>
        </ForOperators>
      }
    >
      <div className="mx-auto flex max-w-[70rem] flex-col gap-4">
        <ViewerNote />
        {isPending && <Skeleton lines={6} what="the fan-outs" />}
        {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <Empty icon={Split} title="No fan-outs yet">
            <p>
              Give one prompt to several models or blueprints. Each works in its own worktree, and you keep the result
              you like best.
            </p>
          </Empty>
        )}
        {data && data.length > 0 && (
          <ul ref={list} className="panel divide-y divide-line">
            {data.map((fanOut) => (
              <li key={fanOut.id}>
                <Row fanOut={fanOut} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {isCreating && <NewFanOutDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Row({ fanOut }: { fanOut: FanOutSummary }) {
  const { id, name, prompt, project, runs, createdAt } = fanOut;
  const done = runs.filter(({ lifecycle, error }) => error !== null || (lifecycle && isFinished(lifecycle))).length;
  return (
    <Link to="/fan-outs/$fanOutId" params={{ fanOutId: id }} className="blueprint-row">
      <span className="min-w-0 flex-1">
        <span className="font-medium">{name}</span>{' '}
        <span dir="auto" className="text-ink-3">
          {clipLine(prompt, 160)}
        </span>
        <span className="block text-sm text-ink-3">
          {countOf(runs.length, 'run')}, {done} done · {displayPath(project)} · {formatDateTime(createdAt)}
        </span>
      </span>
      <FanOutMark fanOut={fanOut} />
    </Link>
  );
}
