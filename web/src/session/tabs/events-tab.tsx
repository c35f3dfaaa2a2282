import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { SessionEvent } from '../../../../src/contract/sessions.ts';
import { messageOf } from '../../api/request.ts';
import { formatSeconds } from '../../ui/dates.ts';
import { clipLine } from '../../ui/format.ts';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { Collapsible } from '../conversation/collapsible.tsx';
import { createExpandedParts, ExpandedPartsProvider } from '../conversation/expanded-parts.ts';
import { Output } from '../conversation/output.tsx';
import { useSessionEvents } from '../use-session-events.ts';
import type { SessionFacts } from '../use-session-facts.ts';

/** The session's raw journal, newest first. */
export default function EventsTab({ facts }: { facts: SessionFacts }) {
  const { events, error, isPending, hasEarlier, isFetchingEarlier, loadEarlier, retry } = useSessionEvents(facts, {
    brief: false,
    limit: 100,
  });
  const [expanded] = useState(createExpandedParts);
  if (error && events.length === 0) return <Failure message={messageOf(error)} onRetry={retry} />;
  if (isPending) return <Skeleton lines={8} what="the events" />;
  if (events.length === 0)
    return (
      <Empty icon={ScrollText} title="No events">
        <p>Ground Control has received no hooks from this session.</p>
      </Empty>
    );
  return (
    <ExpandedPartsProvider value={expanded}>
      <ul aria-label="Events, newest first" className="event-list">
        {events.toReversed().map((event) => (
          <li key={event.seq}>
            <EventRow event={event} />
          </li>
        ))}
      </ul>
      {hasEarlier && (
        <button type="button" className="button mt-3" disabled={isFetchingEarlier} onClick={loadEarlier}>
          {isFetchingEarlier ? 'Loading…' : 'Load earlier events'}
        </button>
      )}
    </ExpandedPartsProvider>
  );
}

function EventRow({ event }: { event: SessionEvent }) {
  const { payload } = event;
  const about = [payload.tool_name, payload.agent_type, payload.prompt, payload.message].find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
  return (
    <Collapsible
      partKey={String(event.seq)}
      line={
        <>
          <span className="shrink-0 text-ink-3 tabular-nums">{formatSeconds(event.at)}</span>
          <span className="font-medium text-ink">{clipLine(event.name, 60)}</span>
          {about && <bdi className="collapsible-object">{clipLine(about, 120)}</bdi>}
        </>
      }
      aside={
        <>
          <span>{event.source}</span>
          <span className="tabular-nums">{event.seq}</span>
        </>
      }
    >
      {() => <Output text={JSON.stringify(payload, null, 2)} label="Payload" />}
    </Collapsible>
  );
}
