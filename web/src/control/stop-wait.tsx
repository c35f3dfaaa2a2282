import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { getStopWait, setStopWait } from '../../../src/contract/routes/control.ts';
import { call, messageOf } from '../api/request.ts';
import { formatDuration } from '../ui/format.ts';

const CHOICES = [0, 5, 10, 30, 60, 300];
const KEY = ['stop-wait'];

/** How long a stop waits for a session that is thinking. */
export function StopWait() {
  const id = useId();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(getStopWait, { signal }),
  });
  const save = useMutation({
    mutationFn: (seconds: number) => call(setStopWait, { body: { seconds } }),
    onSuccess: (saved) => queries.setQueryData(KEY, saved),
  });
  const failure = save.error ?? error;
  const seconds = data?.seconds;
  const choices = seconds === undefined || CHOICES.includes(seconds) ? CHOICES : [...CHOICES, seconds].sort(byValue);
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="flex flex-wrap items-center gap-2">
        Wait for the next hook
        <select
          id={id}
          className="field w-auto"
          value={seconds ?? ''}
          disabled={seconds === undefined || save.isPending}
          onChange={(event) => save.mutate(Number(event.target.value))}
        >
          {seconds === undefined && <option value="">…</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice === 0 ? 'not at all' : formatDuration(choice * 1000)}
            </option>
          ))}
        </select>
      </label>
      <p className="text-ink-3">
        A thinking agent can't be reached until its next tool call. After this time, Ground Control asks before ending
        its process.
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
