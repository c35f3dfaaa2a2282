import { ListChecks } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReviewGroup } from '../../../src/contract/reviews.ts';
import type { RuleDraft } from '../../../src/contract/rules.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { useRole } from '../access/use-role.ts';
import { messageOf } from '../api/request.ts';
import { RuleEditor } from '../rules/rule-editor.tsx';
import { Page } from '../ui/page.tsx';
import { type Shortcut, useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { draftFor } from './draft-for.ts';
import { ReviewItem } from './review-item.tsx';
import { groupKey, useDecideReviews, useReviews } from './use-reviews.ts';

const PAGE = 100;

/** Calls that ran without a matching rule: were they right? */
export function ReviewsPage() {
  const { data: groups, error, isPending, refetch } = useReviews();
  const decide = useDecideReviews();
  const list = useRef<HTMLUListElement>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [editing, setEditing] = useState<{ group: ReviewGroup; draft: RuleDraft } | null>(null);
  const [limit, setLimit] = useState(PAGE);
  const shown = groups?.slice(0, limit) ?? [];
  const chosen = shown.filter((group) => selected.has(groupKey(group)));

  const judge = (action: 'approve' | 'dismiss', which: readonly ReviewGroup[]) => {
    decide.mutate(which.map(({ toolName, shape }) => ({ toolName, shape, action })));
    setSelected(new Set());
  };
  const edit = (group: ReviewGroup, decision: RuleDraft['decision']) =>
    setEditing({ group, draft: draftFor(group, decision) });
  const toggle = (group: ReviewGroup) =>
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(groupKey(group))) after.add(groupKey(group));
      return after;
    });

  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-review]') ?? [])];
  const focused = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-review]');
    return row ? shown[rows().indexOf(row)] : undefined;
  };
  const move = (step: number) => () => {
    const all = rows();
    const at = all.indexOf(document.activeElement?.closest<HTMLElement>('[data-review]') ?? document.body);
    const next = all[at < 0 ? 0 : at + step];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const on = (act: (group: ReviewGroup) => void) => () => {
    const group = focused();
    if (!group) return;
    const at = shown.indexOf(group);
    act(group);
    // The row may be gone; stay at its position.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) rows()[Math.min(at, rows().length - 1)]?.focus();
    });
  };
  const viewer = useRole() === 'viewer';
  const moves: Shortcut[] = [
    { keys: ['j', 'ArrowDown'], what: 'Next', run: move(1) },
    { keys: ['k', 'ArrowUp'], what: 'Previous', run: move(-1) },
  ];
  const decisions: Shortcut[] = [
    { keys: ['a'], what: 'Looks good', run: on((group) => judge('approve', [group])) },
    { keys: ['d'], what: 'Block with a rule', run: on((group) => edit(group, 'deny')) },
    { keys: ['r'], what: 'Create rule', run: on((group) => edit(group, 'allow')) },
    { keys: ['x'], what: 'Select', run: on(toggle) },
    { keys: ['e'], what: 'Dismiss', run: on((group) => judge('dismiss', [group])) },
  ];
  useShortcuts('Reviews', viewer ? moves : [...moves, ...decisions]);

  return (
    <Page
      title="Reviews"
      actions={
        chosen.length > 0 && (
          <>
            <span className="text-ink-2">{chosen.length} selected</span>
            <button type="button" className="button" onClick={() => judge('approve', chosen)}>
              Looks good
            </button>
            <button type="button" className="button" onClick={() => judge('dismiss', chosen)}>
              Dismiss
            </button>
          </>
        )
      }
    >
      <div className="mx-auto flex max-w-[70rem] flex-col gap-4">
        {shown.length > 0 && (
          <p className="max-w-[46rem] text-ink-2">
            These calls ran because no rule covered them. Mark the ones that look good, or create rules to allow or
            block them next time.
          </p>
        )}
        <ViewerNote />
        {isPending && <Skeleton lines={8} what="the reviews" />}
        {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
        {groups && groups.length === 0 && (
          <Empty icon={ListChecks} title="Nothing to review">
            <p>Calls that no rule covered show up here after they run.</p>
          </Empty>
        )}
        {shown.length > 0 && (
          <ForOperators>
            <ul ref={list} aria-label="Calls to review" className="panel divide-y divide-line">
              {shown.map((group) => (
                <li key={groupKey(group)}>
                  <ReviewItem
                    group={group}
                    selected={selected.has(groupKey(group))}
                    onSelect={() => toggle(group)}
                    onApprove={() => judge('approve', [group])}
                    onDeny={() => edit(group, 'deny')}
                    onRule={() => edit(group, 'allow')}
                    onDismiss={() => judge('dismiss', [group])}
                  />
                </li>
              ))}
            </ul>
          </ForOperators>
        )}
        {groups && groups.length > limit && (
          <button type="button" className="button self-center" onClick={() => setLimit(limit + PAGE)}>
            Show {Math.min(PAGE, groups.length - limit)} more of {groups.length - limit}
          </button>
        )}
      </div>
      {editing && (
        <RuleEditor
          rule={null}
          start={editing.draft}
          onClose={() => setEditing(null)}
          onSaved={() => judge(editing.draft.decision === 'deny' ? 'dismiss' : 'approve', [editing.group])}
        />
      )}
    </Page>
  );
}
