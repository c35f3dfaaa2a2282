import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { describingField } from '../../../src/contract/describing-field.ts';
import type { ReviewGroup } from '../../../src/contract/reviews.ts';
import { CallView } from '../approvals/request/call-view.tsx';
import { Elapsed } from '../sessions/elapsed.tsx';
import { displayPath } from '../ui/display-path.ts';
import { clip, clipLine } from '../ui/format.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { describeShape, type ShapePart } from './describe-shape.ts';

interface Props {
  group: ReviewGroup;
  selected: boolean;
  onSelect: () => void;
  onApprove: () => void;
  onDeny: () => void;
  onRule: () => void;
  onDismiss: () => void;
}

const LAST_CHARS = 160;

export function ReviewItem({ group, selected, onSelect, onApprove, onDeny, onRule, onDismiss }: Props) {
  const { toolName, shape, count, sessions, lastAt, latest } = group;
  const parts = describeShape({ toolName, shape, project: latest.project });
  const said = parts.map(({ text }) => text).join('');
  const name = `${clipLine(toolName, 60)} ${clipLine(said, 120)}`;
  const last = lineOfCall(latest.toolInput, latest.project);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of this page act on the row that has the focus
    <article tabIndex={0} data-review aria-label={name} className="review-row" data-selected={selected || undefined}>
      <input type="checkbox" aria-label={`Select ${name}`} checked={selected} onChange={onSelect} className="mt-1" />
      <div className="min-w-0 flex-1">
        <p className="font-mono text-md break-words">
          <span className="font-semibold">{clipLine(toolName, 100)}</span>{' '}
          <bdi title={clip(shape, { max: 300 })}>
            {clipParts(parts, 300).map(({ text, any }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, in their order
              <span key={index} className={any ? 'text-ink-3' : undefined}>
                {text}
              </span>
            ))}
          </bdi>
        </p>
        <p className="text-sm text-ink-3">
          {count} {count === 1 ? 'call' : 'calls'} in {sessions} {sessions === 1 ? 'session' : 'sessions'}, last{' '}
          <Elapsed since={lastAt} /> ago in{' '}
          <Link to="/sessions/$sessionId" params={{ sessionId: latest.sessionId }} className="link">
            {clipLine(latest.project.split('/').at(-1) || latest.project || 'its session', 60)}
          </Link>
        </p>
        <details className="mt-1 text-sm">
          <summary className="review-last">
            {last && last !== clipLine(said, LAST_CHARS) ? (
              <>
                <span className="sr-only">Latest call: </span>
                <bdi className="font-mono text-xs">{last}</bdi>
              </>
            ) : (
              'Latest call'
            )}
          </summary>
          <div className="mt-1.5 flex flex-col gap-1.5">
            <CallView toolName={toolName} input={latest.toolInput} folder={latest.project} />
          </div>
        </details>
      </div>
      <div className="flex shrink-0 items-center gap-1.5">
        <button type="button" className="button" onClick={onApprove}>
          Looks good
        </button>
        <button type="button" className="button" onClick={onDeny}>
          Block…
        </button>
        <Menu
          trigger={
            <button type="button" className="icon-button" aria-label={`More actions for ${name}`}>
              <Ellipsis aria-hidden size={17} />
            </button>
          }
        >
          <MenuItem onSelect={onRule}>Create rule…</MenuItem>
          <MenuItem onSelect={onDismiss}>Dismiss</MenuItem>
        </Menu>
      </div>
    </article>
  );
}

function lineOfCall(input: Record<string, unknown>, project: string): string {
  const field = describingField(input);
  if (!field) return '';
  return clipLine(field.isPath ? displayPath(field.value, project) : field.value, LAST_CHARS);
}

function clipParts(parts: ShapePart[], max: number): ShapePart[] {
  let left = max;
  return parts.flatMap(({ text, any }) => {
    if (left <= 0) return [];
    const shown = clip(text, { max: left });
    left -= text.length;
    return { text: shown, any };
  });
}
