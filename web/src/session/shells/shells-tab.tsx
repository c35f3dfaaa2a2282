import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/request.ts';
import { clipLine } from '../../ui/format.ts';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import type { SessionFacts } from '../use-session-facts.ts';
import { ShellPanel } from './shell-panel.tsx';
import { stateOf, toneOf } from './shell-state.ts';
import { useShells } from './use-shells.ts';

/** Commands of the built-in agent: what they print, what they started, and how to end them. */
export default function ShellsTab({ facts }: { facts: SessionFacts }) {
  const { data, error, isPending, refetch } = useShells(facts.id);
  const [chosen, setChosen] = useState<string | null>(null);
  if (isPending) return <Skeleton lines={5} what="the shells" />;
  if (!data && error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />;
  const shells = data?.shells ?? [];
  const shown = shells.find(({ id }) => id === chosen) ?? shells[0];
  if (!shown)
    return (
      <Empty icon={SquareTerminal} title="No shells">
        <p>Commands appear here while they run. Background commands stay after they end.</p>
      </Empty>
    );
  return (
    <div className="shells">
      <ul aria-label="Shells, newest first" className="shell-list">
        {shells.map((shell) => (
          <li key={shell.id}>
            <button
              type="button"
              className="shell-row"
              aria-current={shell.id === shown.id}
              data-tone={toneOf(shell)}
              onClick={() => setChosen(shell.id)}
            >
              <span className="shell-dot" aria-hidden />
              <bdi className="min-w-0 flex-1 truncate font-mono text-sm">{clipLine(shell.command, 200)}</bdi>
              <span className="shrink-0 text-ink-3 text-sm">{stateOf(shell)}</span>
            </button>
          </li>
        ))}
      </ul>
      <ShellPanel key={shown.id} sessionId={facts.id} shell={shown} />
    </div>
  );
}
