import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { messageOf } from '../api/request.ts';
import { formatDuration } from '../ui/format.ts';

interface Props<T> {
  label: string;
  queryKey: string;
  load: (signal: AbortSignal) => Promise<T>;
  save: (seconds: number) => Promise<T>;
  secondsOf: (value: T) => number;
  /** In seconds. The current value is offered too if it isn't among them. */
  choices: readonly number[];
  /** What zero means. */
  none?: string;
  isFixed?: (value: T) => boolean;
  children: (value: T | undefined) => ReactNode;
}

/** A duration setting: chosen from a list and saved immediately. */
export function SecondsSetting<T>(props: Props<T>) {
  const { label, queryKey, load, save: send, secondsOf, choices, none = 'none', isFixed, children } = props;
  const id = useId();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: [queryKey], queryFn: ({ signal }) => load(signal) });
  const save = useMutation({
    mutationFn: send,
    onSuccess: (saved) => queries.setQueryData([queryKey], saved),
  });
  const failure = save.error ?? error;
  const seconds = data === undefined ? undefined : secondsOf(data);
  const offered = [...new Set([...choices, ...(seconds === undefined ? [] : [seconds])])].sort((a, b) => a - b);
  const isDisabled = data === undefined || isFixed?.(data) || save.isPending;
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="flex flex-wrap items-center gap-2">
        {label}
        <select
          id={id}
          className="field w-auto"
          value={seconds ?? ''}
          disabled={isDisabled}
          onChange={(event) => save.mutate(Number(event.target.value))}
        >
          {seconds === undefined && <option value="">…</option>}
          {offered.map((choice) => (
            <option key={choice} value={choice}>
              {choice === 0 ? none : formatDuration(choice * 1000)}
            </option>
          ))}
        </select>
      </label>
      <p className="text-ink-3">{children(data)}</p>
      {failure && (
        <p role="alert" className="notice" data-tone="red">
          {messageOf(failure)}
        </p>
      )}
    </div>
  );
}
