import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, Minus } from 'lucide-react';
import type { RuleDraft, RulesRehearsal } from '../../../src/contract/rules.ts';
import { messageOf, postJson } from '../api/request.ts';
import { clip, clipLine } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';

const LOOKED_AT = 100;
const SHOWN = 30;

/** The rule in words, and what it would have done: before it does it. */
export function Rehearsal({ draft }: { draft: RuleDraft | null }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['rule-rehearsal', draft],
    queryFn: async () => {
      const [rehearsal, { text }] = await Promise.all([
        postJson<RulesRehearsal>('/api/rules/rehearse', { rule: draft, limit: LOOKED_AT }),
        postJson<{ text: string }>('/api/rules/describe', draft ?? {}),
      ]);
      return { ...rehearsal, text };
    },
    enabled: draft !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section aria-label="What it would do" className="flex min-w-0 flex-col gap-3 rounded-lg bg-sunken p-4">
      <h3 className="font-semibold">What it would do</h3>
      {draft === null && <p className="text-ink-3">Fill in what is missing, and it is tried here at once.</p>}
      {draft && error && <Failure message={messageOf(error)} />}
      {draft && isPending && <Skeleton what="the trial" />}
      {draft && data && !error && (
        <>
          <p dir="auto">{clip(data.text, { max: 2_000 })}</p>
          <p role="status" className="font-medium">
            {data.looked === 0
              ? 'No calls were made yet to try it on.'
              : `Matches ${data.matched} of the last ${data.looked} calls.`}
          </p>
          <ul className="flex max-h-96 flex-col gap-1 overflow-y-auto">
            {data.calls.slice(0, SHOWN).map((call) => (
              <li
                key={call.seq}
                className={`flex items-start gap-2 ${call.matches ? '' : 'text-ink-3'}`}
                title={call.why}
              >
                {call.matches ? (
                  <Check aria-label="Matches" size={15} className="mt-0.5 shrink-0 text-[var(--green)]" />
                ) : (
                  <Minus aria-label="Does not match" size={15} className="mt-0.5 shrink-0" />
                )}
                <span className="min-w-0 font-mono text-[0.8571rem] break-words">
                  <span className="font-semibold">{clipLine(call.toolName, 60)}</span>{' '}
                  <bdi>{inOneLine(call.toolInput)}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function inOneLine(input: Record<string, unknown>): string {
  const [first] = Object.values(input).filter((value): value is string => typeof value === 'string');
  return clipLine(first ?? JSON.stringify(input), 200);
}
