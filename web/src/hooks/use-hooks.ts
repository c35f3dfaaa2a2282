import { useCallback, useEffect, useState } from 'react';
import type { HooksStatus } from '../../../src/contract/hooks.ts';
import { getJson, messageOf, postJson } from '../api/request.ts';
import { usePhase } from '../live/live.ts';

export interface HooksControl {
  status: HooksStatus | null;
  error: string | null;
  busy: boolean;
  /** Resolves to whether it worked; what went wrong is in `error`. */
  install: () => Promise<boolean>;
  remove: () => Promise<boolean>;
}

export function useHooks(): HooksControl {
  const live = usePhase().name === 'live';
  const [status, setStatus] = useState<HooksStatus | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const run = useCallback(async (act: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await act();
      setStatus(await getJson<HooksStatus>('/api/hooks'));
      setError(null);
      return true;
    } catch (failure) {
      setError(messageOf(failure));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);

  useEffect(() => {
    // a restarted daemon may have registered or removed them, so ask again with every new connection
    if (live) void run(async () => undefined);
  }, [live, run]);

  return {
    status,
    error,
    busy,
    install: useCallback(() => run(() => postJson('/api/hooks/install')), [run]),
    remove: useCallback(() => run(() => postJson('/api/hooks/remove')), [run]),
  };
}
