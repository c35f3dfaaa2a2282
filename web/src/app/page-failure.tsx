import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { messageOf } from '../api/request.ts';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/states.tsx';

/** A page that broke: the others still work, and this one can be tried again. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="This page has failed">
      <Failure message={messageOf(error)} onRetry={reset} />
    </Page>
  );
}

export function LostPage() {
  return (
    <Page title="Nothing here">
      <p className="text-ink-2">
        There is no page at this address.{' '}
        <Link to="/" className="link">
          Back to the sessions
        </Link>
      </p>
    </Page>
  );
}
