import { Lock } from 'lucide-react';
import { DECISION_LOOKS } from './rule-item.tsx';
import { useBuiltInRules } from './use-rules.ts';

/** Rules about what an agent does to Ground Control itself. They ask regardless of other rules. */
export function BuiltInRules({ shownId }: { shownId: string | undefined }) {
  const { data: rules } = useBuiltInRules();
  if (!rules) return null;
  return (
    <section aria-label="Built in">
      <h2 className="mb-1 font-semibold">
        Built in <span className="font-normal text-ink-3">{rules.length}</span>
      </h2>
      <p className="mb-2 max-w-[46rem] text-ink-2">
        These keep an agent from acting as you or out of your sight. They can't be turned off, and no allow rule
        overrides them.
      </p>
      <ul className="panel divide-y divide-line">
        {rules.map(({ id, decision, about, reason }) => {
          const { icon: Icon, tone, label } = DECISION_LOOKS[decision];
          return (
            <li key={id}>
              <article className="rule-row" data-tone={tone} data-shown={id === shownId || undefined}>
                <p className="flex w-20 shrink-0 items-center gap-1.5 font-semibold text-tone">
                  <Icon aria-hidden size={16} /> {label}
                </p>
                <div className="rule-what">
                  <p>{about}</p>
                  <p className="text-sm text-ink-3">{reason}</p>
                </div>
                <Lock aria-hidden size={15} className="shrink-0 text-ink-3" />
              </article>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
