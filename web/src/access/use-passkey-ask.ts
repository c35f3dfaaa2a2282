import { useSyncExternalStore } from 'react';
import { currentPasskeyAsk, type PasskeyAsk, subscribeToPasskeyAsks } from './passkey-asks.ts';

export function usePasskeyAsk(): PasskeyAsk | undefined {
  return useSyncExternalStore(subscribeToPasskeyAsks, currentPasskeyAsk);
}
