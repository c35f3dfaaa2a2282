import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { getHold, setHold } from '../../../../src/contract/routes/approvals.ts';
import { call, messageOf } from '../../api/request.ts';
import { formatDuration } from '../../ui/format.ts';

const CHOICES = [60, 300, 900, 1800, 3600, 2 * 3600, 8 * 3600, 23 * 3600];
const KEY = ['hold'];

/** How long requests that only this page shows are held. */
export function HoldTime() {
  const id = useId();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(getHold, { signal }),
  });

  async function save(holdSeconds: number) {
    setFailure(null);
    try {
      queries.setQueryData(KEY, await call(setHold, { body: { holdSeconds } }));
    } catch (problem) {
      setFailure(messageOf(problem));
    }
  }

  const seconds = data?.holdSeconds;
  const problem = failure ?? (error && messageOf(error));
  const choices = seconds === undefined || CHOICES.includes(seconds) ? CHOICES : [...CHOICES, seconds].sort(byValue);
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="flex flex-wrap items-center gap-2">
        Hold for up to
        <select
          id={id}
          className="field w-auto"
          value={seconds ?? ''}
          disabled={seconds === undefined}
          onChange={(event) => void save(Number(event.target.value))}
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
        After that, the terminal shows its own dialog. A headless run (claude -p) continues as it would without Ground
        Control: the call is denied.
      </p>
      {problem && (
        <p role="alert" className="notice" data-tone="red">
          {problem}
        </p>
      )}
    </div>
  );
}

const byValue = (a: number, b: number) => a - b;
