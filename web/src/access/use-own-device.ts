import { useQuery } from '@tanstack/react-query';
import type { Device } from '../../../src/contract/access.ts';
import { getJson } from '../api/request.ts';

/** The device that this browser is. */
export function useOwnDevice(): Device | undefined {
  const { data } = useQuery({
    queryKey: ['devices'],
    queryFn: ({ signal }) => getJson<{ devices: Device[] }>('/api/devices', { signal }),
    staleTime: 60_000,
  });
  return data?.devices.find(({ current }) => current);
}
