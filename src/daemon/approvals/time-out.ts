import type { Approvals } from './approvals.ts';

const LOOK_MS = 100;

/** Denies, with the reason, what nobody decided within the time that its asker gave; also what ran out while we were down. */
export function timeOutApprovals({
  approvals,
  now,
  onError,
}: {
  approvals: Approvals;
  now: () => number;
  onError: (error: unknown) => void;
}): { stop(): void } {
  const timer = setInterval(() => {
    for (const { id, expiresAt } of [...approvals.pending()]) {
      if (expiresAt !== undefined && expiresAt <= now()) approvals.timeOut(id).catch(onError);
    }
  }, LOOK_MS);
  return { stop: () => clearInterval(timer) };
}
