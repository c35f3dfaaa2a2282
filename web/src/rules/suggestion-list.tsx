import { Lightbulb } from 'lucide-react';
import type { RuleDraft } from '../../../src/contract/rules.ts';
import { messageOf } from '../api/request.ts';
import { clip } from '../ui/format.ts';
import { Failure } from '../ui/states.tsx';
import { useRuleActions, useSuggestions } from './use-rules.ts';

const SHOWN = 5;

/** Rules for what the operator keeps allowing. */
export function SuggestionList({ onEdit }: { onEdit: (draft: RuleDraft) => void }) {
  const { data } = useSuggestions();
  const { save } = useRuleActions();
  if (!data || data.length === 0) return null;
  return (
    <section aria-label="Suggestions" className="panel p-4">
      <h2 className="mb-2 flex items-center gap-2 font-semibold">
        <Lightbulb aria-hidden size={16} className="text-[var(--amber)]" /> You keep allowing these
      </h2>
      <ul className="flex flex-col divide-y divide-line">
        {data.slice(0, SHOWN).map(({ draft, text, approvals, examples }) => (
          <li key={text} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
            <div className="min-w-0 flex-1 basis-72">
              <p>{clip(text, { max: 500 })}</p>
              <p className="truncate text-sm text-ink-3">
                Allowed {approvals} times, such as{' '}
                <bdi className="font-mono">{clip(examples[0] ?? '', { max: 200 })}</bdi>
              </p>
            </div>
            <button type="button" className="button" onClick={() => onEdit(draft)}>
              Edit…
            </button>
            <button
              type="button"
              className="button"
              disabled={save.isPending}
              onClick={() => save.mutate({ id: null, draft })}
            >
              Add rule
            </button>
          </li>
        ))}
      </ul>
      {save.error && <Failure message={messageOf(save.error)} />}
    </section>
  );
}
