import { MessageSquareText, Send } from 'lucide-react';
import { useState } from 'react';
import type { WorktreeView } from '../../../src/contract/worktrees.ts';
import { ForOperators } from '../access/for-operators.tsx';
import { clipLine, countOf } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';
import type { CommentActions } from './use-comments.ts';

interface Props {
  sessions: WorktreeView['sessions'];
  actions: CommentActions;
}

/** Unsent comments, with a button to send them to the agent. */
export function CommentBar({ sessions, actions }: Props) {
  const open = actions.comments.filter(({ sent }) => sent === null);
  const [chosen, setChosen] = useState<string | null>(null);
  const sorted = sessions.toSorted((a, b) => Number(b.isLive) - Number(a.isLive));
  const target = sorted.find(({ id }) => id === chosen) ?? sorted[0];
  if (open.length === 0) return null;
  const send = () => {
    if (!target) return;
    actions.send.mutate(
      { sessionId: target.id },
      { onSuccess: ({ sent }) => toast({ text: `Sent ${countOf(sent, 'comment')} to ${clipLine(target.title, 60)}` }) },
    );
  };
  return (
    <aside aria-label="Comments to send" className="comment-bar">
      <MessageSquareText aria-hidden size={16} className="text-ink-3" />
      <span className="font-medium">{countOf(open.length, 'comment')} not sent yet</span>
      {!target && <span className="text-ink-3">No session is working here. Start one to send them.</span>}
      <span className="ml-auto" />
      <ForOperators>
        {sorted.length > 1 && (
          <select
            aria-label="Session"
            className="field w-auto max-w-80"
            value={target?.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {sorted.map(({ id, title, isLive }) => (
              <option key={id} value={id}>
                {clipLine(title, 60)}
                {isLive ? '' : ' (ended)'}
              </option>
            ))}
          </select>
        )}
        <button
          type="button"
          className="button"
          data-kind="primary"
          disabled={!target || actions.send.isPending}
          onClick={send}
        >
          <Send aria-hidden size={15} /> Send to{' '}
          {sorted.length === 1 && target ? clipLine(target.title, 40) : 'session'}
        </button>
      </ForOperators>
    </aside>
  );
}
