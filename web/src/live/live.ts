import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import type { LiveConnection, Phase } from './connect.ts';
import type { LiveStore } from './store.ts';

export interface Live {
  store: LiveStore;
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

export function usePhase(): Phase {
  const { connection } = useLive();
  return useSyncExternalStore(connection.subscribe, connection.phase);
}
