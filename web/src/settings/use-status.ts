import { useQuery } from '@tanstack/react-query';
import { getStatus } from '../../../src/contract/routes/daemon.ts';
import { call } from '../api/request.ts';

export function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => call(getStatus, { signal }),
  });
}
