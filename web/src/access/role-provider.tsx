import type { ReactNode } from 'react';
import { useOwnDevice } from './use-own-device.ts';
import { RoleContext } from './use-role.ts';

/** Asked for once, though every card wants to know it. Until it is known, what nearly everyone may: the daemon refuses the rest. */
export function RoleProvider({ children }: { children: ReactNode }) {
  const own = useOwnDevice();
  return <RoleContext value={own?.role ?? 'operator'}>{children}</RoleContext>;
}
