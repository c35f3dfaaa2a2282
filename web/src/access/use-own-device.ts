import { useQuery } from '@tanstack/react-query';
import type { Device } from '../../../src/contract/access.ts';
import { listDevices } from '../../../src/contract/routes/access.ts';
import { call } from '../api/request.ts';

/** The device that this browser is. */
export function useOwnDevice(): Device | undefined {
  const { data } = useQuery({
    queryKey: ['devices'],
    queryFn: ({ signal }) => call(listDevices, { signal }),
    staleTime: 60_000,
  });
  return data?.devices.find(({ current }) => current);
}
