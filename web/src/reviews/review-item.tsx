import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import type { ReviewGroup } from '../../../src/contract/reviews.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { clip, clipLine } from '../ui/format.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';

interface Props {
  group: ReviewGroup;
  selected: boolean;
  onSelect: () => void;
  onApprove: () => void;
  onDeny: () => void;
  onRule: () => void;
  onDismiss: () => void;
}

export function ReviewItem({ group, selected, onSelect, onApprove, onDeny, onRule, onDismiss }: Props) {
  const { toolName, shape, count, sessions, lastAt, latest } = group;
  const name = `${clipLine(toolName, 60)} ${clipLine(shape, 120)}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of this page act on the row that has the focus
    <article tabIndex={0} data-review aria-label={name} className="review-row" data-selected={selected || undefined}>
      <input type="checkbox" aria-label={`Select ${name}`} checked={selected} onChange={onSelect} className="mt-1" />
      <div className="min-w-0 flex-1">
        <p className="font-mono text-[0.9286rem] break-words">
          <span className="font-semibold">{clipLine(toolName, 100)}</span> <bdi>{clip(shape, { max: 300 })}</bdi>
        </p>
        <p className="text-[0.8929rem] text-ink-3">
          {count} {count === 1 ? 'call' : 'calls'} in {sessions} {sessions === 1 ? 'session' : 'sessions'}, last{' '}
          <Elapsed since={lastAt} /> ago in{' '}
          <Link to="/sessions/$sessionId" params={{ sessionId: latest.sessionId }} className="link">
            {clipLine(latest.project.split('/').at(-1) || latest.project || 'its session', 60)}
          </Link>
        </p>
        <details className="mt-1 text-[0.8929rem]">
          <summary className="w-fit cursor-pointer text-ink-2">The last one</summary>
          <pre className="mt-1 max-h-60 overflow-auto rounded-md bg-sunken p-2 font-mono text-[0.8571rem] whitespace-pre-wrap">
            {clip(JSON.stringify(latest.toolInput, null, 2), { max: 20_000 })}
          </pre>
        </details>
      </div>
      <div className="flex shrink-0 items-center gap-1.5">
        <button type="button" className="button" onClick={onApprove}>
          Right
        </button>
        <button type="button" className="button" onClick={onDeny}>
          Not again…
        </button>
        <Menu
          trigger={
            <button type="button" className="icon-button" aria-label={`More about ${name}`}>
              <Ellipsis aria-hidden size={17} />
            </button>
          }
        >
          <MenuItem onSelect={onRule}>Make a rule of it…</MenuItem>
          <MenuItem onSelect={onDismiss}>Dismiss</MenuItem>
        </Menu>
      </div>
    </article>
  );
}
