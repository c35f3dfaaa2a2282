import { Plus, X } from 'lucide-react';
import { type FormEvent, useDeferredValue, useId, useState } from 'react';
import type { Rule, RuleDecision, RuleDraft } from '../../../src/contract/rules.ts';
import { messageOf } from '../api/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useDraft } from '../ui/drafts.ts';
import { Segmented } from '../ui/segmented.tsx';
import { Failure } from '../ui/states.tsx';
import { useKnownProjects } from './known-projects.ts';
import { Rehearsal } from './rehearsal.tsx';
import { RULE_CONDITIONS } from './rule-conditions.ts';
import { fieldsOf, type RuleFields, toRuleDraft } from './rule-fields.ts';
import { toDraft, useRuleActions } from './use-rules.ts';

const DECISIONS: ReadonlyArray<{ value: RuleDecision; label: string }> = [
  { value: 'allow', label: 'Allow' },
  { value: 'ask', label: 'Ask me' },
  { value: 'deny', label: 'Deny' },
];
const SCOPES: ReadonlyArray<{ value: RuleDraft['scope']; label: string }> = [
  { value: 'global', label: 'Everywhere' },
  { value: 'project', label: 'One project' },
  { value: 'session', label: 'One session' },
];

interface Props {
  /** null: a new rule. */
  rule: Rule | null;
  start?: RuleDraft;
  onClose: () => void;
  onSaved?: () => void;
}

/** Edits a rule next to a preview of what it would have done to recent calls. */
export function RuleEditor({ rule, start, onClose, onSaved }: Props) {
  const form = useId();
  const projects = useId();
  const known = useKnownProjects();
  const { save } = useRuleActions();
  const [initial] = useState(() => fieldsOf(rule ? toDraft(rule) : (start ?? null)));
  // Esc or a stray click closes the dialog, so the draft is kept and shown again on reopening.
  const [kept, keep, drop] = useDraft<RuleFields | null>(keyOf(rule, start), null);
  const [resumed] = useState(kept !== null);
  const fields = kept ?? initial;
  const change = (part: Partial<RuleFields>) => keep({ ...fields, ...part });
  const draft = toRuleDraft(fields);
  const tried = useDeferredValue(draft);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!draft) return;
    save.mutate(
      { id: rule?.id ?? null, draft },
      {
        onSuccess: () => {
          drop();
          onSaved?.();
          onClose();
        },
      },
    );
  }

  return (
    <Dialog
      wide
      title={rule ? 'Edit rule' : 'New rule'}
      onClose={onClose}
      footer={
        <>
          <button
            type="button"
            className="button"
            onClick={() => {
              drop();
              onClose();
            }}
          >
            Cancel
          </button>
          <button type="submit" form={form} className="button" data-kind="primary" disabled={!draft || save.isPending}>
            {rule ? 'Save' : 'Create rule'}
          </button>
        </>
      }
    >
      <div className="grid gap-6 lg:grid-cols-2">
        <form id={form} className="flex min-w-0 flex-col gap-4" onSubmit={submit}>
          {resumed && kept && (
            <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-ink-2">
              Unsaved draft.
              <button type="button" className="link" onClick={drop}>
                Start over
              </button>
            </p>
          )}
          <div className="flex flex-wrap gap-4">
            <Segmented
              label="Decision"
              value={fields.decision}
              options={DECISIONS}
              onChange={(decision) => change({ decision })}
            />
            <Segmented label="Scope" value={fields.scope} options={SCOPES} onChange={(scope) => change({ scope })} />
          </div>
          {fields.scope === 'project' && (
            <Field label="Project folder">
              <input
                required
                className="field font-mono"
                list={projects}
                placeholder="/home/me/project"
                value={fields.project}
                onChange={(event) => change({ project: event.target.value })}
              />
              <datalist id={projects}>
                {known.map((project) => (
                  <option key={project} value={project} />
                ))}
              </datalist>
            </Field>
          )}
          {fields.scope === 'session' && (
            <Field label="Session ID">
              <input
                required
                className="field font-mono"
                value={fields.sessionId}
                onChange={(event) => change({ sessionId: event.target.value })}
              />
            </Field>
          )}
          <Field label="Tool" hint="Bash, mcp__github__*, Read|Grep">
            <input
              required
              className="field font-mono"
              value={fields.toolName}
              onChange={(event) => change({ toolName: event.target.value })}
            />
          </Field>
          <Parameters fields={fields} onChange={change} />
          <Field label="Reason" hint="shown to you, and to the agent on deny">
            <input
              className="field"
              maxLength={500}
              value={fields.reason}
              onChange={(event) => change({ reason: event.target.value })}
            />
          </Field>
          <div className="flex flex-wrap gap-4">
            <Field label="Priority" hint="higher goes first among rules with the same decision">
              <input
                type="number"
                min="-1000"
                max="1000"
                step="1"
                className="field w-28"
                value={fields.priority}
                onChange={(event) => change({ priority: event.target.value })}
              />
            </Field>
            {Object.entries(RULE_CONDITIONS).map(([name, { label, hint, type }]) => (
              <Field key={name} label={label} hint={hint}>
                <input
                  type={type}
                  className="field w-auto"
                  value={fields.conditions[name] ?? ''}
                  onChange={({ target }) => change({ conditions: { ...fields.conditions, [name]: target.value } })}
                />
              </Field>
            ))}
          </div>
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              checked={fields.enabled}
              onChange={(event) => change({ enabled: event.target.checked })}
            />
            Enabled
          </label>
          {save.error && <Failure message={messageOf(save.error)} />}
        </form>
        <Rehearsal draft={tried} id={rule?.id ?? null} />
      </div>
    </Dialog>
  );
}

/** A draft for one version doesn't carry over to the next. */
function keyOf(rule: Rule | null, start: RuleDraft | undefined): string {
  return rule ? `rule-fields:${rule.id}:${rule.version}` : `rule-fields:new:${start ? JSON.stringify(start) : ''}`;
}

function Parameters({ fields, onChange }: { fields: RuleFields; onChange: (part: Partial<RuleFields>) => void }) {
  const set = (index: number, part: Partial<RuleFields['parameters'][number]>) =>
    onChange({ parameters: fields.parameters.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-ink-2">
        Only when <span className="text-ink-3">(* matches anything, a|b matches either; empty: any input)</span>
      </legend>
      {fields.parameters.map((parameter, index) => (
        <div key={parameter.key} className="flex items-center gap-2">
          <input
            aria-label="Parameter"
            placeholder="command"
            className="field w-32 shrink-0 font-mono"
            value={parameter.name}
            onChange={(event) => set(index, { name: event.target.value })}
          />
          <input
            aria-label={`Pattern for ${parameter.name || 'the parameter'}`}
            placeholder="npm run *"
            className="field min-w-0 flex-1 font-mono"
            value={parameter.glob}
            onChange={(event) => set(index, { glob: event.target.value })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove ${parameter.name || 'this parameter'}`}
            onClick={() => onChange({ parameters: fields.parameters.filter((_, at) => at !== index) })}
          >
            <X aria-hidden size={16} />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button self-start"
        onClick={() =>
          onChange({ parameters: [...fields.parameters, { key: crypto.randomUUID(), name: '', glob: '' }] })
        }
      >
        <Plus aria-hidden size={15} /> Parameter
      </button>
    </fieldset>
  );
}

function Field({ label, hint, children }: { label: string; hint?: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-ink-2">
        {label} {hint && <span className="text-ink-3">({hint})</span>}
      </span>
      {children}
    </label>
  );
}
