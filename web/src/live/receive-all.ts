import type { QueryClient } from '@tanstack/react-query';
import type { Approval } from '../../../src/contract/approvals.ts';
import type { Summary } from '../../../src/contract/stream.ts';
import type { ApprovalsStore } from '../approvals/approvals-store.ts';
import type { LiveStore, Receive, StreamMessage } from './store.ts';

interface Parts {
  store: Pick<LiveStore, 'receive'>;
  approvals: Pick<ApprovalsStore, 'put' | 'load'>;
  queries: Pick<QueryClient, 'invalidateQueries'>;
}

/** How long to wait before asking again for a list that did not come. */
const RETRY_MS = 2_000;

/** Hands every message of the stream to whoever it concerns. */
export function receiveAll({ store, approvals, queries }: Parts): Receive {
  const load = () => {
    approvals.load().catch(() => setTimeout(load, RETRY_MS));
  };
  const refresh = (name: string) => void queries.invalidateQueries({ queryKey: [name] });
  const take = (message: StreamMessage) => approvals.put(message.data as Approval);
  return {
    ...store.receive,
    summary(message) {
      store.receive.summary(message);
      // a new picture: what changed in between was not replayed
      if (!(message.data as Summary).reset) return;
      load();
      void queries.invalidateQueries();
    },
    approval_request: take,
    approval_updated: take,
    approval_decided(message) {
      take(message);
      refresh('approvals');
      refresh('audit');
    },
    heartbeat: () => undefined,
    access_changed() {
      for (const name of ['devices', 'callers', 'away', 'audit']) refresh(name);
    },
    rules_changed() {
      for (const name of ['rules', 'reviews', 'policies', 'audit']) refresh(name);
    },
  };
}
