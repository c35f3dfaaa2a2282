import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { HooksStatus } from '../../../src/contract/hooks.ts';
import { getHooks, installHooks, removeHooks } from '../../../src/contract/routes/hooks.ts';
import { call, messageOf } from '../api/request.ts';
import { usePhase } from '../live/live.ts';

export interface HooksControl {
  status: HooksStatus | null;
  error: string | null;
  busy: boolean;
  /** Resolves to whether it worked; `error` has the reason if not. */
  install: () => Promise<boolean>;
  remove: () => Promise<boolean>;
}

const KEY = ['hooks'];

/** Refetched whenever the stream reports a change: another program may remove them at any time. */
export function useHooks(): HooksControl {
  const live = usePhase().name === 'live';
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(getHooks, { signal }),
    enabled: live,
  });
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const run = useCallback(
    async (act: () => Promise<HooksStatus>) => {
      setBusy(true);
      try {
        queries.setQueryData(KEY, await act());
        setFailure(null);
        return true;
      } catch (refused) {
        setFailure(messageOf(refused));
        return false;
      } finally {
        setBusy(false);
      }
    },
    [queries],
  );

  return {
    status: data ?? null,
    error: failure ?? (error ? messageOf(error) : null),
    busy,
    install: useCallback(() => run(() => call(installHooks)), [run]),
    remove: useCallback(() => run(() => call(removeHooks)), [run]),
  };
}
