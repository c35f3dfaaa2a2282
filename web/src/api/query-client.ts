import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './request.ts';

/** The stream reports changes, so queries never refetch on a timer. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // Don't retry what the daemon refused; retry what didn't get through.
      retry: (failures, error) => failures < 3 && error instanceof ApiError && error.status === 0,
    },
  },
});
