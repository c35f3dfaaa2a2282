import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { getApprovalTimeout, setApprovalTimeout } from '../../../../src/contract/routes/approvals.ts';
import { call, messageOf } from '../../api/request.ts';
import { formatDuration } from '../../ui/format.ts';

const CHOICES = [10, 30, 60, 300, 900, 3600, 8 * 3600, 24 * 3600];
const KEY = ['approval-timeout'];

/** How long a program that asks through the API waits, unless its request says otherwise. */
export function ApprovalTimeout() {
  const id = useId();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(getApprovalTimeout, { signal }),
  });
  const save = useMutation({
    mutationFn: (seconds: number) => call(setApprovalTimeout, { body: { seconds } }),
    onSuccess: (saved) => queries.setQueryData(KEY, saved),
  });
  const failure = save.error ?? error;
  const seconds = data?.seconds;
  const isFixed = data?.from === 'environment';
  const choices = seconds === undefined || CHOICES.includes(seconds) ? CHOICES : [...CHOICES, seconds].sort(byValue);
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="flex flex-wrap items-center gap-2">
        Deny after
        <select
          id={id}
          className="field w-auto"
          value={seconds ?? ''}
          disabled={seconds === undefined || isFixed || save.isPending}
          onChange={(event) => save.mutate(Number(event.target.value))}
        >
          {seconds === undefined && <option value="">…</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {formatDuration(choice * 1000)}
            </option>
          ))}
        </select>
      </label>
      <p className="text-ink-3">
        {isFixed
          ? 'Set by AGENT_ORCHESTRATOR_APPROVAL_TIMEOUT in the environment.'
          : 'A request can set its own timeout.'}
      </p>
      {failure && (
        <p role="alert" className="notice" data-tone="red">
          {messageOf(failure)}
        </p>
      )}
    </div>
  );
}

const byValue = (a: number, b: number) => a - b;
