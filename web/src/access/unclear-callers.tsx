import { useQuery } from '@tanstack/react-query';
import { ShieldQuestion } from 'lucide-react';
import type { UnclearCaller } from '../../../src/contract/access.ts';
import { confirmCaller, dismissCaller, listUnclearCallers } from '../../../src/contract/routes/access.ts';
import { call } from '../api/request.ts';
import { useSession } from '../live/live.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { clipLine } from '../ui/format.ts';
import { ConfirmList, ConfirmRow } from './confirm-list.tsx';

/** Terminals and programs that want to act but may belong to an agent. The operator compares this code with the one they display. */
export function UnclearCallers() {
  const { data } = useQuery({
    queryKey: ['callers'],
    queryFn: ({ signal }) => call(listUnclearCallers, { signal }),
  });
  if (!data || data.callers.length === 0) return null;
  return (
    <ConfirmList
      label="Waiting for your confirmation"
      icon={ShieldQuestion}
      about={
        <>
          <span className="font-semibold">An agent may have started these.</span> Confirm one only if you see its code
          on your own screen: until it ends, it can do everything you can.
        </>
      }
    >
      {data.callers.map((caller) => (
        <Caller key={caller.code} caller={caller} />
      ))}
    </ConfirmList>
  );
}

function Caller({ caller: { code, program, pid, terminal, sessionId, why, askedAt } }: { caller: UnclearCaller }) {
  const session = useSession(sessionId);
  const title = clipLine(session?.title ?? sessionId, 80);
  return (
    <ConfirmRow
      code={code}
      refusal="Not mine"
      confirm={() => call(confirmCaller, { params: { code } })}
      refuse={() => call(dismissCaller, { params: { code } })}
      queryKey="callers"
    >
      <p>
        <strong className="font-mono">{code}</strong> · <bdi>{clipLine(program, 40)}</bdi> (pid {pid})
        {terminal && `, ${terminal}`}
      </p>
      <p className="text-sm text-ink-3">
        {why === 'opened' ? 'Opened while a tool ran in' : 'Marked as part of'} “<bdi>{title}</bdi>” ·{' '}
        <Elapsed since={askedAt} /> ago
      </p>
    </ConfirmRow>
  );
}
