import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { getTimeline } from '../../../../src/contract/routes/sessions.ts';
import type { TimelineLane, TimelineSpan, Timeline as Told, ToolTime } from '../../../../src/contract/timeline.ts';
import { ApiError, call } from '../../api/request.ts';
import { clock } from '../../ui/clock.ts';
import type { SessionFacts } from '../use-session-facts.ts';

export type Span = TimelineSpan;

export interface Lane extends TimelineLane {
  name: string;
}

export interface Timeline {
  lanes: Lane[];
  tools: ToolTime[];
  from: number;
  to: number;
}

const EMPTY: Told = { lanes: [], tools: [], from: null, to: null, isComplete: true };
const FIRST = 2000;
const MOST = 20_000;
const REFRESH_MS = 3_000;

/** Who did what, and when. Kept up to date while visible. */
export function useTimeline({ id, session, isLive }: SessionFacts) {
  const [limit, setLimit] = useState(FIRST);
  const query = useQuery({
    queryKey: ['timeline', id, limit],
    queryFn: () => call(getTimeline, { params: { id }, query: { limit } }).catch(noneIfUnknown),
    placeholderData: keepPreviousData,
  });
  const { refetch } = query;
  const seq = session?.seq;
  const asked = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: ask again when the session has moved on
  useEffect(() => {
    if (!isLive) return;
    asked.current ||= Date.now();
    const wait = Math.max(0, asked.current + REFRESH_MS - Date.now());
    const timer = setTimeout(() => {
      asked.current = Date.now();
      void refetch();
    }, wait);
    return () => clearTimeout(timer);
  }, [isLive, refetch, seq]);
  const told = query.data;
  const timeline = useMemo(() => toTimeline(told ?? EMPTY, Math.max(clock.now(), Date.now())), [told]);
  return {
    timeline,
    error: query.error,
    isPending: query.isPending,
    hasEarlier: told?.isComplete === false && limit < MOST,
    isFetchingEarlier: query.isPlaceholderData,
    loadEarlier: () => setLimit((now) => Math.min(MOST, now * 3)),
    retry: () => void refetch(),
  };
}

/** An open span lasts until now. */
export function toTimeline({ lanes, tools, from, to }: Told, now: number): Timeline {
  const last = to ?? now;
  const isOver = lanes.every(({ spans }) => spans.at(-1)?.to !== null);
  return {
    lanes: lanes.map((lane) => ({ ...lane, name: lane.actorId === 'main' ? 'Main agent' : lane.type || 'Subagent' })),
    tools,
    from: from ?? now,
    to: isOver ? last : Math.max(now, last),
  };
}

/** A session without hooks has no events. */
function noneIfUnknown(error: unknown): Told {
  if (error instanceof ApiError && error.status === 404) return EMPTY;
  throw error;
}
