import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReviewDecision, ReviewGroup } from '../../../src/contract/reviews.ts';
import { decideReviews, listReviews } from '../../../src/contract/routes/reviews.ts';
import { call, messageOf } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

export const groupKey = ({ toolName, shape }: Pick<ReviewGroup, 'toolName' | 'shape'>) => `${toolName}\n${shape}`;

/** The stream reports when the queue changed. */
export function useReviews() {
  return useQuery({
    queryKey: ['reviews'],
    queryFn: async ({ signal }) => (await call(listReviews, { signal })).groups,
  });
}

/** Removes the group from the list at once; a refusal from the daemon brings it back. */
export function useDecideReviews() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decisions: ReviewDecision[]) =>
      Promise.all(decisions.map((decision) => call(decideReviews, { body: decision }))),
    onMutate(decisions) {
      const gone = new Set(decisions.map(groupKey));
      queries.setQueryData<ReviewGroup[]>(['reviews'], (groups) =>
        groups?.filter((group) => !gone.has(groupKey(group))),
      );
    },
    onError: (error) => void toast({ tone: 'red', text: messageOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['reviews'] }),
  });
}
