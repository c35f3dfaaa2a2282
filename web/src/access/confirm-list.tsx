import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

interface Props {
  label: string;
  icon: LucideIcon;
  /** What to check before confirming. */
  about: ReactNode;
  children: ReactNode;
}

/** Things that wait for the operator to compare a code and confirm. */
export function ConfirmList({ label, icon: Icon, about, children }: Props) {
  return (
    <section aria-label={label} className="notice flex flex-col gap-3" data-tone="amber">
      <p className="flex items-start gap-2">
        <Icon aria-hidden size={17} className="mt-0.5 shrink-0 text-tone" />
        <span>{about}</span>
      </p>
      <ul className="flex flex-col divide-y divide-line">{children}</ul>
    </section>
  );
}

interface RowProps {
  /** The code to compare. */
  code: string;
  refusal: string;
  confirm: () => Promise<unknown>;
  refuse: () => Promise<unknown>;
  /** The list to reload afterwards. */
  queryKey: string;
  children: ReactNode;
}

export function ConfirmRow({ code, refusal, confirm, refuse, queryKey, children }: RowProps) {
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onError: (error) => toast({ tone: 'red', text: messageOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: [queryKey] }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-56">{children}</div>
      <button type="button" className="button" disabled={answer.isPending} onClick={() => answer.mutate(refuse)}>
        {refusal}
      </button>
      <button
        type="button"
        className="button"
        data-kind="primary"
        disabled={answer.isPending}
        onClick={() => answer.mutate(confirm)}
      >
        Confirm {code}
      </button>
    </li>
  );
}
