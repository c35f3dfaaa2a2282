import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueueMove, QueueView } from '../../../src/contract/queue.ts';
import { cancelSession } from '../../../src/contract/routes/orchestration.ts';
import { getQueue, moveQueued, pauseQueue, resumeQueue, setQueueLimits } from '../../../src/contract/routes/queue.ts';
import { call, messageOf } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

const QUEUE = ['queue'];

export function useQueue() {
  return useQuery({ queryKey: QUEUE, queryFn: ({ signal }) => call(getQueue, { signal }) });
}

export function useQueueActions() {
  const queries = useQueryClient();
  const onError = (error: unknown) => void toast({ tone: 'red', text: messageOf(error) });
  const shown = { onSuccess: (view: QueueView) => queries.setQueryData(QUEUE, view), onError };
  const pause = useMutation({ mutationFn: () => call(pauseQueue), ...shown });
  const resume = useMutation({ mutationFn: () => call(resumeQueue), ...shown });
  const limit = useMutation({
    mutationFn: (machine: number | null) => call(setQueueLimits, { body: { machine } }),
    ...shown,
  });
  const move = useMutation({
    mutationFn: ({ id, ...body }: QueueMove & { id: string }) => call(moveQueued, { params: { id }, body }),
    ...shown,
  });
  const cancel = useMutation({
    mutationFn: (id: string) => call(cancelSession, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: QUEUE }),
    onError,
  });
  return { pause, resume, limit, move, cancel };
}
