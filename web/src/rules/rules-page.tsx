import { getRouteApi } from '@tanstack/react-router';
import { LibraryBig, Plus, Scale } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Rule, RuleDraft } from '../../../src/contract/rules.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { useRole } from '../access/use-role.ts';
import { messageOf } from '../api/request.ts';
import { usePaletteActions } from '../app/palette-actions.ts';
import { displayPath } from '../ui/display-path.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { BuiltInRules } from './built-in-rules.tsx';
import { PolicySection } from './policy-section.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { RuleItem } from './rule-item.tsx';
import { groupRules } from './rule-order.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { TemplatesDialog } from './templates-dialog.tsx';
import { TryCommand } from './try-command.tsx';
import { useRuleActions, useRules } from './use-rules.ts';
import { VersionsDialog } from './versions-dialog.tsx';

const route = getRouteApi('/rules');

type Open =
  | { what: 'editor'; rule: Rule | null; start?: RuleDraft }
  | { what: 'templates' }
  | { what: 'versions'; rule: Rule }
  | null;

/** What is decided without asking. */
export function RulesPage() {
  const { rule: shownId } = route.useSearch();
  const { data: rules, error, isPending, refetch } = useRules();
  const { save, remove } = useRuleActions();
  const [open, setOpen] = useState<Open>(null);
  const [filter, setFilter] = useState('');
  const close = () => setOpen(null);
  const create = () => setOpen({ what: 'editor', rule: null });
  const groups = useMemo(() => groupRules(rules ?? [], filter), [rules, filter]);

  const viewer = useRole() === 'viewer';
  useShortcuts('Rules', viewer ? [] : [{ keys: ['n'], what: 'New rule', run: create }]);
  usePaletteActions(() =>
    viewer
      ? []
      : [
          { label: 'New rule…', icon: Plus, run: create, hint: 'n' },
          { label: 'Rule templates…', icon: LibraryBig, run: () => setOpen({ what: 'templates' }) },
        ],
  );

  return (
    <Page
      title="Rules"
      actions={
        <ForOperators>
          <button type="button" className="button" onClick={() => setOpen({ what: 'templates' })}>
            <LibraryBig aria-hidden size={16} /> Templates
          </button>
          <button type="button" className="button" data-kind="primary" onClick={create}>
            <Plus aria-hidden size={16} /> New rule
          </button>
        </ForOperators>
      }
    >
      <div className="mx-auto flex max-w-[70rem] flex-col gap-5">
        <div className="max-w-[46rem] text-ink-2">
          <p>
            A rule decides before anyone is asked. Deny wins over ask, and ask wins over allow, wherever the rules are
            set. If no rule covers a call, the policy below decides.
          </p>
          <p>
            Priority only orders rules with the same decision: the higher one goes first, then the newer one. It can't
            make an allow win over an ask or a deny.
          </p>
        </div>
        <ViewerNote />
        <ForOperators>
          <SuggestionList onEdit={(start) => setOpen({ what: 'editor', rule: null, start })} />
        </ForOperators>
        <TryCommand />
        {isPending && <Skeleton lines={6} what="the rules" />}
        {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
        {rules && rules.length === 0 && (
          <Empty icon={Scale} title="No rules yet">
            <p>
              Write one, add some from the templates, or choose “Always…” the next time an agent asks for something.
            </p>
          </Empty>
        )}
        {rules && rules.length > 0 && (
          <>
            <input
              type="search"
              aria-label="Filter rules"
              placeholder="Filter by tool, pattern, project or reason"
              className="field max-w-md"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
            {groups.length === 0 && <p className="text-ink-3">No rule matches “{filter}”.</p>}
            <ForOperators>
              {groups.map(({ title, rules: members }) => (
                <section key={title} aria-label={title}>
                  <h2 className="mb-2 font-semibold break-all" title={title}>
                    {title.startsWith('/') ? displayPath(title) : title}{' '}
                    <span className="font-normal text-ink-3">{members.length}</span>
                  </h2>
                  <ul className="panel divide-y divide-line">
                    {members.map((rule) => (
                      <li key={rule.id}>
                        <RuleItem
                          rule={rule}
                          shown={rule.id === shownId}
                          onEdit={() => setOpen({ what: 'editor', rule })}
                          onVersions={() => setOpen({ what: 'versions', rule })}
                          onDelete={() => remove.mutate(rule)}
                          onTurn={(draft) => save.mutate({ id: rule.id, draft })}
                        />
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </ForOperators>
          </>
        )}
        <BuiltInRules shownId={shownId} />
        <ForOperators>
          <PolicySection />
        </ForOperators>
      </div>
      {open?.what === 'editor' && (
        <RuleEditor rule={open.rule} {...(open.start ? { start: open.start } : {})} onClose={close} />
      )}
      {open?.what === 'templates' && <TemplatesDialog onClose={close} />}
      {open?.what === 'versions' && <VersionsDialog rule={open.rule} onClose={close} />}
    </Page>
  );
}
