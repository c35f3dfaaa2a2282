import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Device } from '../../../src/contract/access.ts';
import { getJson } from '../api/request.ts';
import { RoleContext } from './use-role.ts';

/** Fetched once for all cards. Until it arrives, assume the common role: the daemon refuses the rest. */
export function RoleProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({
    queryKey: ['devices'],
    queryFn: ({ signal }) => getJson<{ devices: Device[] }>('/api/devices', { signal }),
    staleTime: 60_000,
  });
  const role = data?.devices.find((device) => device.current)?.role;
  return <RoleContext value={role ?? 'operator'}>{children}</RoleContext>;
}
