import type { QueryClient } from '@tanstack/react-query';
import type { ReviewCount } from '../../../src/contract/reviews.ts';
import type { StreamEvent } from '../../../src/contract/stream.ts';
import type { ApprovalsStore } from '../approvals/answer/approvals-store.ts';
import { REVIEW_COUNT } from '../reviews/use-review-count.ts';
import type { LiveStore, Receive, Received } from './store.ts';
import type { StreamingStore } from './streaming-store.ts';

type ApprovalEvent = `approval_${string}` & StreamEvent;

interface Parts {
  store: Pick<LiveStore, 'receive'>;
  approvals: Pick<ApprovalsStore, 'put' | 'load'>;
  streaming: Pick<StreamingStore, 'receive' | 'reload'>;
  queries: Pick<QueryClient, 'invalidateQueries' | 'setQueryData'>;
}

/** How long to wait before retrying a list that failed to load. */
const RETRY_MS = 2_000;

/** Routes every stream message to the stores that use it. */
export function receiveAll({ store, approvals, streaming, queries }: Parts): Receive {
  const load = () => {
    approvals.load().catch(() => setTimeout(load, RETRY_MS));
  };
  const refresh = (name: string) => void queries.invalidateQueries({ queryKey: [name] });
  const take = ({ data }: Received<ApprovalEvent>) => approvals.put(data);
  const takeSettled = (message: Received<ApprovalEvent>) => {
    take(message);
    for (const name of ['approvals', 'decisions', 'audit']) refresh(name);
  };
  return {
    ...store.receive,
    summary(message) {
      store.receive.summary(message);
      // A new snapshot: changes in between weren't replayed.
      if (!message.data.reset) return;
      load();
      streaming.reload();
      void queries.invalidateQueries();
    },
    approval_request: take,
    approval_updated: take,
    approval_decided: takeSettled,
    approval_delivery: takeSettled,
    heartbeat: () => undefined,
    message_delta: ({ data }) => streaming.receive(data),
    shells_changed({ data: { sessionId, list, output } }) {
      if (list) void queries.invalidateQueries({ queryKey: ['shells', sessionId] });
      for (const shell of output) void queries.invalidateQueries({ queryKey: ['shell-output', sessionId, shell] });
    },
    access_changed() {
      for (const name of ['devices', 'pairings', 'passkeys', 'remote', 'callers', 'away', 'hooks', 'audit'])
        refresh(name);
    },
    notify_changed() {
      for (const name of ['notify', 'audit']) refresh(name);
    },
    rules_changed() {
      for (const name of ['rules', 'reviews', 'decisions', 'policies', 'audit']) refresh(name);
    },
    agents_changed() {
      for (const name of ['agents', 'audit']) refresh(name);
    },
    worktrees_changed() {
      for (const name of ['worktrees', 'audit']) refresh(name);
    },
    comments_changed: () => refresh('comments'),
    queue_changed: () => refresh('queue'),
    fan_outs_changed: () => refresh('fan-outs'),
    reviews_changed({ data }) {
      queries.setQueryData<ReviewCount>(REVIEW_COUNT, data);
      for (const name of ['reviews', 'decisions']) refresh(name);
    },
  };
}
