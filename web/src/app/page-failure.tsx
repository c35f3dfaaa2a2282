import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { MapPinOff, Unplug } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError, messageOf } from '../api/request.ts';
import { usePhase } from '../live/live.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';

/** A page that crashed or failed to load. The others still work, and this one can be retried. */
export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const away = error instanceof ApiError && error.code === 'unreachable';
  // Load the page again instead of only rerendering it.
  const retry = () => void router.invalidate();
  if (away) return <PageAway error={error} retry={retry} />;
  return (
    <Page title="Something went wrong">
      <Failure message={messageOf(error)} onRetry={retry} />
    </Page>
  );
}

/** The daemon may answer again and the page still fail. */
const RETRY_MS = 300;

function PageAway({ error, retry }: { error: Error; retry: () => void }) {
  const { name } = usePhase();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it is back, or has failed again
  useEffect(() => {
    if (name !== 'live') return;
    const timer = setTimeout(retry, RETRY_MS);
    return () => clearTimeout(timer);
  }, [name, error]);
  return (
    <Page title="Couldn't load this page">
      <Empty icon={Unplug} title="Can't reach Ground Control">
        <p>It will load when the connection is back.</p>
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      </Empty>
    </Page>
  );
}

export function LostPage() {
  return (
    <Page title="Page not found">
      <Empty icon={MapPinOff} title="No page at this address">
        <p>
          <Link to="/" className="link">
            Back to sessions
          </Link>
        </p>
      </Empty>
    </Page>
  );
}
