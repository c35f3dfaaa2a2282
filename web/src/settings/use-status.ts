import { useQuery } from '@tanstack/react-query';
import type { DaemonStatus } from '../../../src/contract/daemon.ts';
import { getJson } from '../api/request.ts';

export function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => getJson<DaemonStatus>('/api/status', { signal }),
  });
}
