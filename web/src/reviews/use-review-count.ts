import { useQuery } from '@tanstack/react-query';
import type { ReviewCount } from '../../../src/contract/reviews.ts';
import { getJson } from '../api/request.ts';

export const REVIEW_COUNT = ['review-count'];

/** How many calls wait for review. The stream keeps it up to date. */
export function useReviewCount(): number {
  const { data } = useQuery({
    queryKey: REVIEW_COUNT,
    queryFn: ({ signal }) => getJson<ReviewCount>('/api/reviews/count', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.pending ?? 0;
}
