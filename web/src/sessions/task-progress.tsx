import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import type { ProgressItem } from '../../../src/contract/sessions.ts';
import { clipLine } from '../ui/format.ts';

const MAX_TICKS = 16;
const STATUS = {
  completed: { icon: CircleCheck, label: 'Done' },
  in_progress: { icon: CircleDot, label: 'In progress' },
  pending: { icon: Circle, label: 'To do' },
} as const;

export function TaskProgress({ items }: { items: readonly ProgressItem[] }) {
  if (items.length === 0) return null;
  const done = items.filter((item) => item.status === 'completed').length;
  const current = items.find((item) => item.status === 'in_progress');
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm text-ink-2">
      <div
        role="progressbar"
        aria-label="Tasks"
        aria-valuemin={0}
        aria-valuemax={items.length}
        aria-valuenow={done}
        className="flex h-1.5 w-16 shrink-0 gap-px overflow-hidden rounded-full bg-line"
      >
        {items.length <= MAX_TICKS ? (
          items.map((item) => <span key={item.id} className={`flex-1 ${TICK[item.status]}`} />)
        ) : (
          <span className={TICK.completed} style={{ width: `${(100 * done) / items.length}%` }} />
        )}
      </div>
      <span className="shrink-0 font-medium tabular-nums">
        {done}/{items.length}
      </span>
      {current && (
        <span className="min-w-0 truncate text-ink-3" dir="auto">
          {clipLine(current.title, 160)}
        </span>
      )}
    </div>
  );
}

const TICK = {
  completed: 'bg-[var(--green-edge)]',
  in_progress: 'bg-[var(--amber-edge)]',
  pending: 'bg-line-strong',
} as const;

export function TaskList({ items }: { items: readonly ProgressItem[] }) {
  if (items.length === 0) return null;
  return (
    <ul aria-label="Tasks" className="flex flex-col gap-1">
      {items.map((item) => {
        const { icon: Icon, label } = STATUS[item.status];
        return (
          <li key={item.id} className={`flex gap-2 ${item.status === 'completed' ? 'text-ink-3' : 'text-ink-2'}`}>
            <Icon aria-label={label} size={14} className="mt-0.5 shrink-0" />
            <span dir="auto">{clipLine(item.title, 300)}</span>
          </li>
        );
      })}
    </ul>
  );
}
