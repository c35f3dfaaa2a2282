import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldQuestion } from 'lucide-react';
import type { UnclearCaller } from '../../../src/contract/access.ts';
import { confirmCaller, dismissCaller, listUnclearCallers } from '../../../src/contract/routes/access.ts';
import { call, messageOf } from '../api/request.ts';
import { useSession } from '../live/live.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { clipLine } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';

/** Terminals and programs that want to act but may belong to an agent. The operator compares the code with the one on their screen. */
export function UnclearCallers() {
  const { data } = useQuery({
    queryKey: ['callers'],
    queryFn: ({ signal }) => call(listUnclearCallers, { signal }),
  });
  if (!data || data.callers.length === 0) return null;
  return (
    <section aria-label="Waiting for your confirmation" className="notice flex flex-col gap-3" data-tone="amber">
      <p className="flex items-start gap-2">
        <ShieldQuestion aria-hidden size={17} className="mt-0.5 shrink-0 text-tone" />
        <span>
          <span className="font-semibold">An agent may have started these.</span> Confirm one only if you see its code
          on your own screen: until it ends, it can do everything you can.
        </span>
      </p>
      <ul className="flex flex-col divide-y divide-line">
        {data.callers.map((caller) => (
          <Caller key={caller.code} caller={caller} />
        ))}
      </ul>
    </section>
  );
}

function Caller({ caller: { code, program, pid, terminal, sessionId, why, askedAt } }: { caller: UnclearCaller }) {
  const session = useSession(sessionId);
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (what: 'confirm' | 'dismiss') =>
      call(what === 'confirm' ? confirmCaller : dismissCaller, { params: { code } }),
    onError: (error) => toast({ tone: 'red', text: messageOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['callers'] }),
  });
  const title = clipLine(session?.title ?? sessionId, 80);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p>
          <strong className="font-mono">{code}</strong> · <bdi>{clipLine(program, 40)}</bdi> (pid {pid})
          {terminal && `, ${terminal}`}
        </p>
        <p className="text-sm text-ink-3">
          {why === 'opened' ? 'Opened while a tool ran in' : 'Marked as part of'} “<bdi>{title}</bdi>” ·{' '}
          <Elapsed since={askedAt} /> ago
        </p>
      </div>
      <button type="button" className="button" disabled={answer.isPending} onClick={() => answer.mutate('dismiss')}>
        Not mine
      </button>
      <button
        type="button"
        className="button"
        data-kind="primary"
        disabled={answer.isPending}
        onClick={() => answer.mutate('confirm')}
      >
        Confirm {code}
      </button>
    </li>
  );
}
