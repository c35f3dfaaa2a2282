import { useQuery } from '@tanstack/react-query';
import type { Device, Role } from '../../../src/contract/access.ts';
import { getJson } from '../api/request.ts';

/** What this browser may do. Until it is known, what nearly everyone may: the daemon refuses the rest in any case. */
export function useRole(): Role {
  const { data } = useQuery({
    queryKey: ['devices'],
    queryFn: ({ signal }) => getJson<{ devices: Device[] }>('/api/devices', { signal }),
    staleTime: 60_000,
  });
  return data?.devices.find((device) => device.current)?.role ?? 'operator';
}
