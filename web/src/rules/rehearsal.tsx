import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, Minus } from 'lucide-react';
import { describeRule, rehearseRule } from '../../../src/contract/routes/rules.ts';
import type { RuleDraft } from '../../../src/contract/rules.ts';
import { BASE_PATH } from '../api/base-path.ts';
import { call, messageOf } from '../api/request.ts';
import { clip, clipLine } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';

const LOOKED_AT = 100;
const SHOWN = 30;

/** The rule in words, and what it would have done so far. */
export function Rehearsal({ draft, id }: { draft: RuleDraft | null; id: string | null }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['rules', 'rehearsal', draft, id],
    queryFn: async () => {
      if (draft === null) throw new Error('There is no rule to preview.');
      const [rehearsal, { text }] = await Promise.all([
        call(rehearseRule, { body: { rule: draft, limit: LOOKED_AT, ...(id ? { id } : {}) } }),
        call(describeRule, { body: draft }),
      ]);
      return { ...rehearsal, text };
    },
    enabled: draft !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const overruled = data?.calls.filter(({ overruledBy }) => overruledBy).length ?? 0;
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3 rounded-lg bg-sunken p-4">
      <h3 className="font-semibold">Preview</h3>
      {draft === null && <p className="text-ink-3">Complete the rule to preview it.</p>}
      {draft && error && <Failure message={messageOf(error)} />}
      {draft && isPending && <Skeleton what="the preview" />}
      {draft && data && !error && (
        <>
          <p dir="auto">{clip(data.text, { max: 2_000 })}</p>
          <p role="status" className="font-medium">
            {data.looked === 0
              ? 'No calls to try it on yet.'
              : `Matches ${data.matched} of the last ${data.looked} calls.`}
          </p>
          {overruled > 0 && (
            <p data-tone="amber" className="notice">
              {overruled === data.matched
                ? 'It would never have applied: another rule decides all of these calls.'
                : `Another rule decides ${overruled} of these calls.`}{' '}
              Deny wins over ask, and ask over allow, whatever the priority.
            </p>
          )}
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
                <span className="min-w-0 font-mono text-xs break-words">
                  <span className="font-semibold">{clipLine(call.toolName, 60)}</span>{' '}
                  <bdi>{inOneLine(call.toolInput)}</bdi>
                  {call.overruledBy && (
                    <span data-tone="amber" className="block font-sans text-tone">
                      {clipLine(call.overruledBy.why, 300)}{' '}
                      {call.overruledBy.ruleId && (
                        <a
                          className="link"
                          href={`${BASE_PATH}/rules?rule=${encodeURIComponent(call.overruledBy.ruleId)}`}
                          target="_blank"
                          rel="noopener"
                        >
                          Show rule
                        </a>
                      )}
                    </span>
                  )}
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
