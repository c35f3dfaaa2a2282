import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import { ApiError, messageOf } from '../../api/request.ts';
import type { Drafts } from '../../ui/drafts.ts';
import { type ApprovalDraft, draftKey, writtenIn } from './approval-draft.ts';
import type { ApprovalsStore } from './approvals-store.ts';

export type Deciding = { name: 'sending'; request: DecisionRequest } | { name: 'failed'; message: string };

/** held: can be undone until its window closes. decided: took effect. lost: someone else was first, or it wasn't sent. */
export type Outcome = 'held' | 'decided' | 'lost';

/** The operator was answering, but someone or something else was first. */
export interface Missed {
  approval: Approval;
  /** What the operator had written. */
  text: string;
}

export interface DecisionsStore {
  of(id: string): Deciding | undefined;
  missed(): readonly Missed[];
  subscribe(listener: () => void): () => void;
  /** One decision per approval, no matter how often and where it is made. */
  decide(approval: Approval, request: DecisionRequest): Promise<Outcome>;
  /** Undoes a decision that is still held. Returns false if it is too late. */
  undo(id: string): Promise<boolean>;
  /** The latest decision made here that can still be undone. */
  lastHeld(): string | undefined;
  forgetMissed(id: string): void;
}

interface Options {
  approvals: Pick<ApprovalsStore, 'get' | 'put' | 'subscribe' | 'snapshot'>;
  drafts: Pick<Drafts, 'get' | 'drop'>;
  send: (id: string, request: DecisionRequest) => Promise<Approval>;
  takeBack: (id: string) => Promise<Approval>;
  /** Fetches an approval that was settled while we were disconnected: the stream won't say how. */
  fetchOne: (id: string) => Promise<Approval>;
}

/** A decision made on this page. */
interface Own {
  decision: DecisionRequest['decision'];
  text: string;
  isHeld: boolean;
}

export function createDecisionsStore({ approvals, drafts, send, takeBack, fetchOne }: Options): DecisionsStore {
  const states = new Map<string, Deciding>();
  const own = new Map<string, Own>();
  const listeners = new Set<() => void>();
  let pending = new Set<string>();
  let missed: readonly Missed[] = [];

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

  // Our decision turned out to have no effect.
  const undelivered = new Set<string>();
  approvals.subscribe(() => {
    for (const id of own.keys()) {
      const approval = approvals.get(id);
      if (approval?.delivery?.state !== 'not_delivered' || undelivered.has(id)) continue;
      undelivered.add(id);
      miss(approval, '');
    }
  });

  approvals.subscribe(() => {
    const before = pending;
    const waiting = approvals.snapshot().pending;
    pending = new Set(waiting.map(({ id }) => id));
    for (const { id, held } of waiting) {
      const mine = own.get(id);
      // Undone on another device.
      if (mine?.isHeld && !held) own.delete(id);
    }
    for (const id of before) if (!pending.has(id) && states.get(id)?.name !== 'sending') settle(id);
  });

  /** No longer pending, because of our own decision or while the operator was writing an answer. */
  function settle(id: string) {
    const mine = own.get(id);
    const draft = drafts.get<ApprovalDraft>(draftKey(id)) ?? {};
    const text = mine?.text || writtenIn(draft);
    drafts.drop(draftKey(id));
    if (states.has(id)) set(id, undefined);
    if (!mine && !text && !draft.isCreatingRule) return;
    void findSettled(id).then((approval) => {
      if (approval && !(mine && approval.decision?.decision === mine.decision)) miss(approval, text);
    });
  }

  async function findSettled(id: string): Promise<Approval | undefined> {
    // The daemon no longer knows it either, so there's nothing to report.
    return approvals.get(id) ?? fetchOne(id).catch(() => undefined);
  }

  return {
    of: (id) => states.get(id),
    missed: () => missed,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async decide(approval, request) {
      const { id } = approval;
      if (states.get(id)?.name === 'sending' || own.has(id)) return 'lost';
      set(id, { name: 'sending', request });
      const text = writtenIn(drafts.get<ApprovalDraft>(draftKey(id)) ?? {}) || (request.message ?? '');
      try {
        const answer = await send(id, request);
        const isHeld = answer.status === 'pending';
        own.set(id, { decision: request.decision, text, isHeld });
        // Keep the text as long as the decision can be undone.
        if (!isHeld) drafts.drop(draftKey(id));
        set(id, undefined);
        approvals.put(answer);
        return isHeld ? 'held' : 'decided';
      } catch (error) {
        const winner = winnerIn(error);
        set(id, winner ? undefined : { name: 'failed', message: messageOf(error) });
        if (!winner) return 'lost';
        if (winner.status !== 'pending') {
          drafts.drop(draftKey(id));
          miss(winner, text);
        }
        approvals.put(winner);
        return 'lost';
      }
    },
    async undo(id) {
      try {
        const answer = await takeBack(id);
        own.delete(id);
        approvals.put(answer);
        return true;
      } catch (error) {
        if (error instanceof ApiError) return false;
        throw error;
      }
    },
    lastHeld: () => [...own].findLast(([id, { isHeld }]) => isHeld && pending.has(id))?.[0],
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
