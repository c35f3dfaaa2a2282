import type { ReactNode } from 'react';
import { useOwnDevice } from './use-own-device.ts';
import { RoleContext } from './use-role.ts';

/** Fetched once for all cards. Until it arrives, assume the usual role: the daemon enforces the real one. */
export function RoleProvider({ children }: { children: ReactNode }) {
  const own = useOwnDevice();
  return <RoleContext value={own?.role ?? 'admin'}>{children}</RoleContext>;
}
