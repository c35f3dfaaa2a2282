import { Link } from '@tanstack/react-router';
import type { Inherited, Uncounted } from '../../../src/contract/usage.ts';
import { formatUsd } from '../ui/format.ts';
import { uncountedText } from './uncounted-text.ts';

interface Props {
  inherited: Inherited | null;
  uncounted: Uncounted | null;
  hasEnded: boolean;
}

/** What the session's cost leaves out, and why. */
export function SpendingNotes({ inherited, uncounted, hasEnded }: Props) {
  return (
    <>
      {inherited && (
        <p className="text-ink-3" data-spending="inherited">
          Forked with {inherited.cost ? formatUsd(inherited.cost.totalUsd) : 'messages'} of{' '}
          {inherited.from === null ? (
            'another session'
          ) : (
            <Link to="/sessions/$sessionId" params={{ sessionId: inherited.from }} className="link">
              another session
            </Link>
          )}
          , counted there.
        </p>
      )}
      {uncounted && (
        <p className="text-ink-3" data-spending="uncounted">
          {uncountedText(uncounted, { hasEnded })}
        </p>
      )}
    </>
  );
}
