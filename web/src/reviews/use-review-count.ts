import { useQuery } from '@tanstack/react-query';
import { countReviews } from '../../../src/contract/routes/reviews.ts';
import { call } from '../api/request.ts';

export const REVIEW_COUNT = ['review-count'];

/** How many calls wait for review. The stream keeps it up to date. */
export function useReviewCount(): number {
  const { data } = useQuery({
    queryKey: REVIEW_COUNT,
    queryFn: ({ signal }) => call(countReviews, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.pending ?? 0;
}
