import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { OrchestratedSession } from '../../../src/contract/orchestration.ts';
import { getOrchestrated, listOrchestrated } from '../../../src/contract/routes/orchestration.ts';
import { ApiError, call } from '../api/request.ts';
import { useLive } from '../live/live.ts';

/** Agents are limited to 20 descendants; a person is not. */
const MOST = 300;

export function useChildren(sessionId: string): readonly string[] {
  const { family } = useLive();
  return useSyncExternalStore(family.subscribe, () => family.childrenOf(sessionId));
}

export interface Family {
  /** The whole tree this session belongs to, including sessions that left the board. */
  sessions: OrchestratedSession[];
  /** There are more than are listed. */
  isCut: boolean;
}

export function useFamily(sessionId: string) {
  const children = useChildren(sessionId);
  return useQuery({
    // a new child changes the tree
    queryKey: ['family', sessionId, children.join(' ')],
    queryFn: ({ signal }) => fetchFamily(sessionId, signal),
    placeholderData: (before) => before,
    refetchInterval: 5_000,
  });
}

async function fetchFamily(sessionId: string, signal: AbortSignal): Promise<Family> {
  const sessions: OrchestratedSession[] = [];
  let level = [await topOf(sessionId, signal)];
  while (level.length > 0 && sessions.length < MOST) {
    const known = level.filter((one) => typeof one !== 'string');
    sessions.push(...known);
    const ids = level.map((one) => (typeof one === 'string' ? one : one.id));
    const lists = await Promise.all(
      ids.map((parent) => call(listOrchestrated, { query: { parent, limit: MOST }, signal })),
    );
    level = lists.flatMap((list) => list.sessions);
  }
  return { sessions: sessions.slice(0, MOST), isCut: level.length > 0 || sessions.length > MOST };
}

/** The session at the top of the tree, or only its id if it wasn't started from here. */
async function topOf(sessionId: string, signal: AbortSignal): Promise<OrchestratedSession | string> {
  const seen = new Set<string>();
  let top: OrchestratedSession | string = sessionId;
  for (let id: string | null = sessionId; id !== null && !seen.has(id); ) {
    seen.add(id);
    const found: OrchestratedSession | null = await call(getOrchestrated, { params: { id }, signal }).catch(
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      },
    );
    top = found ?? id;
    id = found?.parentId ?? null;
  }
  return top;
}
