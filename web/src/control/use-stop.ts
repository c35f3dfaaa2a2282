import { useMutation } from '@tanstack/react-query';
import { stopSession } from '../../../src/contract/routes/control.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { useRole } from '../access/use-role.ts';
import { call, messageOf } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

export type Stoppable = Pick<LiveSession, 'id' | 'stop' | 'driver'>;

export interface StopOrder {
  kill: boolean;
  /** Which detached processes to end with it. */
  endDetached?: string[];
}

export function useStop({ id, stop, driver }: Stoppable) {
  const viewer = useRole() === 'viewer';
  const asked = useMutation({
    mutationFn: (order: StopOrder) => call(stopSession, { params: { id }, body: order }),
    onError: (error) => toast({ tone: 'red', text: messageOf(error) }),
  });
  return {
    stop: (order: StopOrder) => asked.mutate(order),
    stopping: asked.isPending || stop?.state === 'stopping',
    possible: !viewer && driver.capabilities.stop,
    canEndProcess: driver.capabilities.endProcess,
  };
}
