import { useState } from 'react';
import type { RuleDraft } from '../../../src/contract/rules.ts';
import { messageOf } from '../api/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { useKnownProjects } from './known-projects.ts';
import { DECISION_LOOKS } from './rule-item.tsx';
import { useRuleActions, useTemplates } from './use-rules.ts';

/** Common cases. Each rule is shown before it is added. */
export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const { data: templates, error, isPending, refetch } = useTemplates();
  const projects = useKnownProjects();
  const { addAll } = useRuleActions();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [project, setProject] = useState('');
  const keyOf = (template: string, index: number) => `${template} ${index}`;

  function turn(keys: string[], on: boolean) {
    setChosen((before) => {
      const after = new Set(before);
      for (const key of keys) on ? after.add(key) : after.delete(key);
      return after;
    });
  }

  const picked = (templates ?? []).flatMap(({ id, rules }) => rules.filter((_, index) => chosen.has(keyOf(id, index))));
  const add = () =>
    addAll.mutate(
      picked.map((draft) => (project ? within(draft, project) : draft)),
      {
        onSuccess: () => {
          toast({ tone: 'green', text: `${picked.length} ${picked.length === 1 ? 'rule' : 'rules'} added` });
          onClose();
        },
      },
    );

  return (
    <Dialog
      wide
      title="Templates"
      onClose={onClose}
      footer={
        <>
          <label className="mr-auto flex min-w-0 items-center gap-2">
            <span className="shrink-0 text-ink-2">For</span>
            <select
              className="field w-auto min-w-0"
              value={project}
              onChange={(event) => setProject(event.target.value)}
            >
              <option value="">every project</option>
              {projects.map((path) => (
                <option key={path} value={path}>
                  {path}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            className="button"
            data-kind="primary"
            disabled={picked.length === 0 || addAll.isPending}
            onClick={add}
          >
            Add {picked.length || ''} {picked.length === 1 ? 'rule' : 'rules'}
          </button>
        </>
      }
    >
      {isPending && <Skeleton lines={6} what="the templates" />}
      {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
      {addAll.error && <Failure message={messageOf(addAll.error)} />}
      <div className="flex flex-col gap-5">
        {templates?.map(({ id, title, description, rules }) => {
          const keys = rules.map((_, index) => keyOf(id, index));
          const all = keys.every((key) => chosen.has(key));
          return (
            <fieldset key={id} className="min-w-0">
              <legend className="font-semibold">
                <label className="flex items-center gap-2">
                  <input type="checkbox" checked={all} onChange={(event) => turn(keys, event.target.checked)} />
                  {title}
                </label>
              </legend>
              <p className="mb-1.5 ml-5.5 text-ink-3">{description}</p>
              <ul className="ml-5.5 flex flex-col gap-1">
                {rules.map((rule, index) => {
                  const key = keys[index]!;
                  const { tone, label } = DECISION_LOOKS[rule.decision];
                  return (
                    <li key={key}>
                      <label className="flex items-start gap-2">
                        <input
                          type="checkbox"
                          className="mt-1"
                          checked={chosen.has(key)}
                          onChange={(event) => turn([key], event.target.checked)}
                        />
                        <span data-tone={tone} className="w-11 shrink-0 font-medium text-tone">
                          {label}
                        </span>
                        <span className="min-w-0 font-mono text-sm break-words">
                          {rule.pattern.toolName} {Object.values(rule.pattern.parameters).join(' ')}
                        </span>
                      </label>
                    </li>
                  );
                })}
              </ul>
            </fieldset>
          );
        })}
      </div>
    </Dialog>
  );
}

function within({ sessionId: _session, ...draft }: RuleDraft, project: string): RuleDraft {
  return { ...draft, scope: 'project', project };
}
