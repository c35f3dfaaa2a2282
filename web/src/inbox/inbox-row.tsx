import { memo } from 'react';
import type { Approval } from '../../../src/contract/approvals.ts';
import { hiddenCharacter } from '../../../src/contract/hidden-characters.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { lineOf } from '../approvals/request/describe-request.ts';
import { Swipe } from '../approvals/swipe.tsx';
import { useDeciding, useSession } from '../live/live.ts';
import { cardLines } from '../sessions/card-lines.ts';
import { COLLISION_STYLE, describeCollision } from '../sessions/describe-collision.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { styleOf } from '../sessions/state-style.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { clipLine } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';
import type { InboxItem } from './inbox-items.ts';

interface Props {
  item: InboxItem;
  current: boolean;
  selected: boolean;
  onOpen: (key: string, byKeyboard: boolean) => void;
  onSelect: (key: string) => void;
}

export const InboxRow = memo(function InboxRow({ item, current, selected, onOpen, onSelect }: Props) {
  const session = useSession(item.sessionId);
  const approval = item.kind === 'approval' ? item.approval : undefined;
  const look =
    item.kind === 'collision'
      ? COLLISION_STYLE
      : approval
        ? styleOf({ group: 'needs_you', state: STATES[approval.kind] })
        : session && styleOf(session.agentState);
  const { icon: Icon, tone, label } = look ?? styleOf({ group: 'needs_you', state: 'waiting' });
  const openInstead = (row: Element) => {
    if (approval && showsAll(approval, row)) return false;
    onOpen(item.key, false);
    toast({ text: 'Part of this request was hidden. Check it all, then allow it.', tone: 'gray' });
    return true;
  };
  const line = approval
    ? lineOf(approval, session?.projectPath)
    : { text: session ? lineFor(item, session) : '', code: false };
  return (
    <Swipe approval={approval?.held ? undefined : approval} onAllow={openInstead}>
      <div className="inbox-row" data-tone={tone} data-current={current || undefined}>
        {approval ? (
          <label className="inbox-check">
            <input type="checkbox" checked={selected} tabIndex={-1} onChange={() => onSelect(item.key)} />
            <span className="sr-only">Select {line.text}</span>
          </label>
        ) : (
          <span className="inbox-check" />
        )}
        <button
          type="button"
          data-row={item.key}
          tabIndex={current ? 0 : -1}
          aria-current={current ? 'true' : undefined}
          className="inbox-open"
          // A click without a pointer is the Enter key.
          onClick={(event) => onOpen(item.key, event.detail === 0)}
        >
          <span className="flex items-center gap-2 text-sm">
            <Icon aria-hidden size={15} strokeWidth={2.25} className="shrink-0 text-tone" />
            <span className="min-w-0 flex-1 truncate">
              <span className="font-semibold text-tone">{label}</span>
              {approval?.kind === 'permission' && (
                <bdi className="ml-1.5 font-medium text-ink-2">{clipLine(approval.toolName, 60)}</bdi>
              )}
            </span>
            {approval && <DecidingMark approval={approval} />}
            <span className="shrink-0 text-ink-3 tabular-nums">
              <Elapsed since={item.since} />
            </span>
          </span>
          <bdi data-line className={`truncate ${line.code ? 'font-mono text-md' : 'font-medium'}`}>
            {line.text || label}
          </bdi>
          <span className="truncate text-sm text-ink-3">
            {session && <bdi className="font-medium text-ink-2">{clipLine(session.projectDisplayName, 60)}</bdi>}
            {session && ' · '}
            <bdi>
              <TitleText title={session?.title ?? 'Session not on the board'} max={160} />
            </bdi>
          </span>
        </button>
      </div>
    </Swipe>
  );
});

const STATES = {
  permission: 'needs_permission',
  question: 'awaiting_input',
  plan: 'awaiting_approval',
  elicitation: 'awaiting_input',
} as const;

function lineFor(item: InboxItem, session: LiveSession): string {
  if (item.kind !== 'collision') return restingLine(session);
  const found = session.collisions.find(({ sessionId }) => item.key.includes(sessionId));
  return found ? describeCollision(found, session.projectPath) : '';
}

function restingLine(session: Parameters<typeof cardLines>[0]): string {
  const { ask, activities } = cardLines(session);
  return ask?.text.split('\n')[0] ?? activities[0] ?? '';
}

/** Whether the row shows everything that would be allowed: one short command and nothing that changes how it runs. */
function showsAll({ kind, toolInput }: Approval, row: Element): boolean {
  const { command, description: _words, ...rest } = toolInput;
  if (kind !== 'permission' || typeof command !== 'string' || Object.keys(rest).length > 0) return false;
  const line = row.querySelector('[data-line]');
  return line?.textContent === command && line.scrollWidth <= line.clientWidth && !hiddenCharacter(command);
}

function DecidingMark({ approval }: { approval: Approval }) {
  const deciding = useDeciding(approval.id);
  if (approval.held)
    return <span className="text-ink-3">{approval.held.decision === 'allow' ? 'Allowing…' : 'Denying…'}</span>;
  if (!deciding) return null;
  return <span className="text-ink-3">{deciding.name === 'failed' ? 'Not sent' : 'Sending…'}</span>;
}
