import type { Approvals } from './approvals.ts';

const LOOK_MS = 100;

/** Denies, with a reason, what nobody decided within the asker's time limit, including what expired while we were down. */
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
