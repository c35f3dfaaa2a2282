import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { messageOf } from '../api/request.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';

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
      <Empty icon={MapPinOff} title="There is no page at this address">
        <p>
          <Link to="/" className="link">
            Back to the sessions
          </Link>
        </p>
      </Empty>
    </Page>
  );
}
