import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listDevices } from '../../../src/contract/routes/access.ts';
import { call } from '../api/request.ts';
import { RoleContext } from './use-role.ts';

/** Asked for once, though every card wants to know it. Until it is known, what nearly everyone may: the daemon refuses the rest. */
export function RoleProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({
    queryKey: ['devices'],
    queryFn: ({ signal }) => call(listDevices, { signal }),
    staleTime: 60_000,
  });
  const role = data?.devices.find((device) => device.current)?.role;
  return <RoleContext value={role ?? 'operator'}>{children}</RoleContext>;
}
