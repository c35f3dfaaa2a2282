import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react';
import type { Approval } from '../../../src/contract/approvals.ts';
import { type Attention, countAttention } from '../../../src/contract/attention.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import type { ApprovalsSnapshot, ApprovalsStore } from '../approvals/answer/approvals-store.ts';
import type { Deciding, DecisionsStore, Missed } from '../approvals/answer/decisions-store.ts';
import type { BoardSnapshot, BoardStore } from '../board/board-store.ts';
import { useHiding } from '../board/hide-later.ts';
import type { FamilyStore } from '../family/family-store.ts';
import type { LiveConnection, Phase } from './connect.ts';
import type { LiveStore, Today } from './store.ts';
import type { StreamingMessage, StreamingStore } from './streaming-store.ts';

export interface Live {
  store: LiveStore;
  board: BoardStore;
  approvals: ApprovalsStore;
  decisions: DecisionsStore;
  streaming: StreamingStore;
  family: FamilyStore;
  connection: LiveConnection;
}

export const LiveContext = createContext<Live | null>(null);

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('useLive outside of LiveContext');
  return live;
}

export function useSession(id: string): LiveSession | undefined {
  const { store } = useLive();
  const subscribe = useCallback((listener: () => void) => store.subscribeTo(id, listener), [store, id]);
  return useSyncExternalStore(subscribe, () => store.get(id));
}

/** Messages that this session's agent is writing now. */
export function useStreaming(sessionId: string): readonly StreamingMessage[] {
  const { streaming } = useLive();
  const subscribe = useCallback((listener: () => void) => streaming.watch(sessionId, listener), [streaming, sessionId]);
  return useSyncExternalStore(subscribe, () => streaming.of(sessionId));
}

export function usePhase(): Phase {
  const { connection } = useLive();
  return useSyncExternalStore(connection.subscribe, connection.phase);
}

export function useBoard(): BoardSnapshot {
  const { board } = useLive();
  return useSyncExternalStore(board.subscribe, board.snapshot);
}

export function useManyMachines(): boolean {
  const { board } = useLive();
  return useSyncExternalStore(board.subscribe, () => board.snapshot().manyMachines);
}

export function useApprovals(): ApprovalsSnapshot {
  const { approvals } = useLive();
  return useSyncExternalStore(approvals.subscribe, approvals.snapshot);
}

/** Requests to answer, and idle sessions. Sessions that were just hidden don't count. */
export function useAttention(): Attention {
  const { store } = useLive();
  const { pending } = useApprovals();
  const { columns } = useBoard();
  const hidden = useHiding();
  // The board says who is in the column; details are read when that changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(
    () =>
      countAttention(
        [...store.all().values()].filter(({ id }) => !hidden.has(id)),
        pending,
      ),
    [store, pending, hidden, columns.needs_you],
  );
}

const NONE: readonly Approval[] = [];

/** This session's pending approvals. */
export function useApprovalsOf(sessionId: string): readonly Approval[] {
  const { approvals } = useLive();
  const read = useCallback(() => approvals.snapshot().bySession.get(sessionId) ?? NONE, [approvals, sessionId]);
  return useSyncExternalStore(approvals.subscribe, read);
}

/** Decisions that haven't reached the asker yet. */
export function useUndelivered(): readonly Approval[] {
  const { approvals } = useLive();
  return useSyncExternalStore(approvals.subscribe, () => approvals.snapshot().undelivered);
}

/** One approval, kept for a while after it is settled. */
export function useApproval(id: string): Approval | undefined {
  const { approvals } = useLive();
  return useSyncExternalStore(approvals.subscribe, () => approvals.get(id));
}

/** The decision on it that is being sent from here. */
export function useDeciding(approvalId: string): Deciding | undefined {
  const { decisions } = useLive();
  return useSyncExternalStore(decisions.subscribe, () => decisions.of(approvalId));
}

/** Where the operator was too late, until dismissed. */
export function useMissed(): readonly Missed[] {
  const { decisions } = useLive();
  return useSyncExternalStore(decisions.subscribe, decisions.missed);
}

export function useToday(): Today {
  const { store } = useLive();
  return useSyncExternalStore(store.subscribe, store.today);
}
