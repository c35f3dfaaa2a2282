import type { Approval, DecisionRequest } from '../../../src/contract/approvals.ts';
import { ApiError, messageOf } from '../api/request.ts';
import type { Drafts } from '../ui/drafts.ts';
import { type ApprovalDraft, draftKey, writtenIn } from './approval-draft.ts';
import type { ApprovalsStore } from './approvals-store.ts';

export type Deciding =
  /** Said, and can still be taken back. */
  | { name: 'held'; request: DecisionRequest }
  | { name: 'sending'; request: DecisionRequest }
  | { name: 'failed'; message: string };

/** The operator was at it, and somebody or something else was first. */
export interface Missed {
  approval: Approval;
  /** What the operator had written. */
  text: string;
}

export interface DecisionsStore {
  of(id: string): Deciding | undefined;
  missed(): readonly Missed[];
  subscribe(listener: () => void): () => void;
  /** One decision for each approval, however often and wherever it is said. True: it is the one that counts. */
  decide(approval: Approval, request: DecisionRequest): Promise<boolean>;
  /** Goes out after `ms`, or at once when the page is left. Returns how to take it back. */
  decideAfter(approval: Approval, request: DecisionRequest, ms: number): () => void;
  /**
   * Something was settled a moment ago, and what stands behind it has moved to its place: a second click, or a key that
   * is still down, was meant for what stood there before.
   */
  hasMoved(): boolean;
  /** The page is being left: what was said must not be lost with it. */
  sendHeld(): void;
  forgetMissed(id: string): void;
}

interface Options {
  approvals: Pick<ApprovalsStore, 'get' | 'put' | 'subscribe' | 'snapshot'>;
  drafts: Pick<Drafts, 'get' | 'drop'>;
  send: (id: string, request: DecisionRequest, options: { keepalive?: boolean }) => Promise<Approval>;
  /** For one that was settled while we were not connected: the stream will not tell how. */
  fetchOne: (id: string) => Promise<Approval>;
}

/** Longer than a double click takes, shorter than anyone needs to read a request. */
const MOVED_MS = 500;

export function createDecisionsStore({ approvals, drafts, send, fetchOne }: Options): DecisionsStore {
  const states = new Map<string, Deciding>();
  const held = new Map<
    string,
    { approval: Approval; request: DecisionRequest; timer: ReturnType<typeof setTimeout> }
  >();
  const mine = new Set<string>();
  const listeners = new Set<() => void>();
  let pending = new Set<string>();
  let missed: readonly Missed[] = [];
  let moved: ReturnType<typeof setTimeout> | undefined;

  function set(id: string, state: Deciding | undefined) {
    if (state) states.set(id, state);
    else states.delete(id);
    tell();
  }

  function tell() {
    for (const listener of listeners) listener();
  }

  function miss(approval: Approval, text: string) {
    if (missed.some((one) => one.approval.id === approval.id)) return;
    missed = [...missed, { approval, text }];
    tell();
  }

  function noteMove() {
    clearTimeout(moved);
    moved = setTimeout(() => {
      moved = undefined;
      tell();
    }, MOVED_MS);
    tell();
  }

  // what is no longer pending, and not by us, while the operator was writing an answer to it
  approvals.subscribe(() => {
    const before = pending;
    pending = new Set(approvals.snapshot().pending.map(({ id }) => id));
    if ([...before].some((id) => !pending.has(id))) noteMove();
    for (const id of before) {
      if (pending.has(id) || mine.has(id) || states.get(id)?.name === 'sending') continue;
      const was = held.get(id);
      const draft = drafts.get<ApprovalDraft>(draftKey(id)) ?? {};
      const text = writtenIn(draft) || (was?.request.message ?? '');
      if (text || was || draft.ruling) void findSettled(id).then((approval) => approval && miss(approval, text));
      clearTimeout(was?.timer);
      held.delete(id);
      drafts.drop(draftKey(id));
      if (states.has(id)) set(id, undefined);
    }
  });

  async function findSettled(id: string): Promise<Approval | undefined> {
    // gone from the daemon too: then there is nothing to tell
    return approvals.get(id) ?? fetchOne(id).catch(() => undefined);
  }

  async function decide(approval: Approval, request: DecisionRequest, options: { keepalive?: boolean } = {}) {
    const { id } = approval;
    if (states.get(id)?.name === 'sending' || mine.has(id)) return false;
    set(id, { name: 'sending', request });
    const text = writtenIn(drafts.get<ApprovalDraft>(draftKey(id)) ?? {}) || (request.message ?? '');
    try {
      const settled = await send(id, request, options);
      mine.add(id);
      drafts.drop(draftKey(id));
      set(id, undefined);
      approvals.put(settled);
      return true;
    } catch (error) {
      const winner = winnerIn(error);
      if (!winner) {
        set(id, { name: 'failed', message: messageOf(error) });
        return false;
      }
      drafts.drop(draftKey(id));
      set(id, undefined);
      miss(winner, text);
      approvals.put(winner);
      return false;
    }
  }

  return {
    of: (id) => states.get(id),
    missed: () => missed,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    decide,
    decideAfter(approval, request, ms) {
      const { id } = approval;
      if (states.has(id) && states.get(id)?.name !== 'failed') return () => undefined;
      const timer = setTimeout(() => {
        held.delete(id);
        void decide(approval, request);
      }, ms);
      held.set(id, { approval, request, timer });
      set(id, { name: 'held', request });
      return () => {
        if (!held.delete(id)) return;
        clearTimeout(timer);
        set(id, undefined);
      };
    },
    hasMoved: () => moved !== undefined,
    sendHeld() {
      for (const [id, { approval, request, timer }] of [...held]) {
        clearTimeout(timer);
        held.delete(id);
        void decide(approval, request, { keepalive: true });
      }
    },
    forgetMissed(id) {
      missed = missed.filter(({ approval }) => approval.id !== id);
      tell();
    },
  };
}

function winnerIn(error: unknown): Approval | undefined {
  if (!(error instanceof ApiError) || error.code !== 'approval.already_decided') return undefined;
  return error.details.approval as Approval | undefined;
}
