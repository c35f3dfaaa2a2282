import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Device, Role } from '../../../src/contract/access.ts';
import { getJson } from '../api/request.ts';

/** Asked for once, by the shell: every card wants to know it. */
export const RoleContext = createContext<Role>('operator');

/** What this browser may do. */
export function useRole(): Role {
  return useContext(RoleContext);
}

/** Until it is known, what nearly everyone may: the daemon refuses the rest in any case. */
export function useFetchedRole(): Role {
  const { data } = useQuery({
    queryKey: ['devices'],
    queryFn: ({ signal }) => getJson<{ devices: Device[] }>('/api/devices', { signal }),
    staleTime: 60_000,
  });
  return data?.devices.find((device) => device.current)?.role ?? 'operator';
}
