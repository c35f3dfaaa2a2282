import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './request.ts';

/** The stream tells what changed, so nothing is asked again by the clock alone. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // what the daemon refused stays refused; what did not get through is tried again
      retry: (failures, error) => failures < 3 && error instanceof ApiError && error.status === 0,
    },
  },
});
