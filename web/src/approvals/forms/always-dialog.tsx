import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { useDeferredValue, useId, useState } from 'react';
import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import { describeRule, testRules } from '../../../../src/contract/routes/rules.ts';
import type { RuleDraft } from '../../../../src/contract/rules.ts';
import { call, messageOf } from '../../api/request.ts';
import { useSession } from '../../live/live.ts';
import { RuleConflict, useVerdictWith } from '../../rules/rule-conflict.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { clip, humanize } from '../../ui/format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { exactShape, suggestRule } from './suggest-rule.ts';

interface Props {
  approval: Approval;
  onDecide: (request: DecisionRequest) => void;
  onClose: () => void;
}

type Scope = RuleDraft['scope'];

/** Shows the exact rule before it is saved: what it matches, how far it applies, and whether it covers this call. */
export default function AlwaysDialog({ approval, onDecide, onClose }: Props) {
  const session = useSession(approval.sessionId);
  const project = session?.projectPath ?? null;
  const [{ draft: start, parameter }] = useState(() => suggestRule(approval, project));
  const [draft, setDraft] = useState<RuleDraft>(start);
  const looked = useDeferredValue(draft);
  const check = useRuleCheck(looked, approval, session?.cwd ?? null, project);
  const formId = useId();
  const decision = draft.decision === 'deny' ? 'deny' : 'allow';
  const covers = check.data?.decision === draft.decision;
  const together = useVerdictWith(looked, callOf(approval, session?.cwd ?? null, project));
  const isOverruled = covers && together.data !== undefined && together.data.decision !== draft.decision;
  // The preview still describes the previous input.
  const checked =
    looked === draft && !check.isPlaceholderData && together.data !== undefined && !together.isPlaceholderData;
  const canSave = covers && checked && !isOverruled;
  const change = (part: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...part }));
  const setParameter = (name: string, value: string) =>
    change({ pattern: { ...draft.pattern, parameters: { ...draft.pattern.parameters, [name]: value } } });
  const exact = exactShape(approval);

  return (
    <Dialog
      title={`Always ${decision} ${clip(approval.toolName, { max: 60 })}`}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="button" data-kind="primary" disabled={!canSave}>
            Save the rule and {decision}
          </button>
        </>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!canSave) return;
          onDecide({ decision, remember: draft });
          onClose();
        }}
      >
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <Labelled label="From now on">
            <Segmented
              label="From now on"
              value={decision}
              options={[
                { value: 'allow', label: 'Allow' },
                { value: 'deny', label: 'Deny' },
              ]}
              onChange={(next) => change({ decision: next })}
            />
          </Labelled>
          <Labelled label="Where">
            <Segmented<Scope>
              label="Where"
              value={draft.scope}
              options={[
                { value: 'session', label: 'This session' },
                ...(project ? [{ value: 'project' as const, label: 'This project' }] : []),
                { value: 'global', label: 'Everywhere' },
              ]}
              onChange={(scope) => setDraft(withScope(draft, scope, { sessionId: approval.sessionId, project }))}
            />
          </Labelled>
        </div>
        <TextField
          label="Tool"
          value={draft.pattern.toolName}
          onChange={(toolName) => change({ pattern: { ...draft.pattern, toolName } })}
        />
        {Object.entries(draft.pattern.parameters).map(([name, value]) => (
          <TextField
            key={name}
            label={humanize(name)}
            hint="* matches anything, a|b matches either"
            value={value}
            onChange={(next) => setParameter(name, next)}
          />
        ))}
        {parameter && exact && exact.length <= 2_000 && draft.pattern.parameters[parameter] !== exact && (
          <button type="button" className="link self-start" onClick={() => setParameter(parameter, exact)}>
            Only exactly this {humanize(parameter).toLowerCase()}
          </button>
        )}
        {decision === 'deny' && (
          <TextField
            label="Reason"
            hint="Sent to the agent"
            value={draft.reason}
            onChange={(reason) => change({ reason })}
          />
        )}
        <div role="status" className="flex flex-col gap-2">
          {check.data?.text && (
            <p className="rounded-md bg-sunken px-3 py-2">
              <bdi>{clip(withoutPatterns(check.data.text, looked), { max: 2_000 })}</bdi>
            </p>
          )}
          {check.data && (
            <p data-tone={covers ? 'green' : 'red'} className="flex items-start gap-2">
              {covers ? (
                <CircleCheck aria-hidden size={17} className="mt-0.5 shrink-0 text-tone" />
              ) : (
                <CircleX aria-hidden size={17} className="mt-0.5 shrink-0 text-tone" />
              )}
              <span className="min-w-0">
                <span className="font-medium text-tone">
                  {covers ? 'Covers this call.' : "Doesn't cover this call, so it can't be saved."}
                </span>{' '}
                {!covers && <span className="text-ink-2">{clip(check.data.why, { max: 2_000 })}</span>}
              </span>
            </p>
          )}
          {isOverruled && together.data && <RuleConflict draft={looked} outcome={together.data} />}
          {check.error && (
            <p data-tone="red" className="notice">
              {messageOf(check.error)}
            </p>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function callOf({ toolName, toolInput, sessionId }: Approval, cwd: string | null, project: string | null) {
  return { toolName, toolInput, sessionId, ...(cwd ? { cwd } : {}), ...(project ? { project } : {}) };
}

/** The values are in the fields above and may be a screen long. */
function withoutPatterns(text: string, { pattern }: RuleDraft): string {
  return Object.values(pattern.parameters).reduce(
    (said, parameter) => (parameter ? said.replaceAll(`\`${parameter}\``, 'this pattern') : said),
    text,
  );
}

function withScope(
  { sessionId: _session, project: _project, ...draft }: RuleDraft,
  scope: Scope,
  place: { sessionId: string; project: string | null },
): RuleDraft {
  if (scope === 'session') return { ...draft, scope, sessionId: place.sessionId };
  return scope === 'project' && place.project
    ? { ...draft, scope, project: place.project }
    : { ...draft, scope: 'global' };
}

/** The daemon's verdict on the call by this rule alone, and its description of the rule. */
function useRuleCheck(draft: RuleDraft, approval: Approval, cwd: string | null, project: string | null) {
  return useQuery({
    queryKey: ['rule-check', approval.id, draft],
    queryFn: async () => {
      const [outcome, { text }] = await Promise.all([
        call(testRules, { body: { ...callOf(approval, cwd, project), rules: [draft] } }),
        call(describeRule, { body: draft }),
      ]);
      return { ...outcome, text };
    },
    retry: false,
    placeholderData: (before) => before,
  });
}

function Labelled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="text-ink-2">
        {label}
      </span>
      {children}
    </div>
  );
}

function TextField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label className="flex flex-col gap-1">
      <span className="text-ink-2">
        {label} {hint && <span className="text-ink-3">({hint})</span>}
      </span>
      <textarea
        rows={1}
        className="field answer-text max-h-none font-mono"
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        value={value}
        // A single line, even if it wraps.
        onChange={(event) => onChange(event.target.value.replace(/\s*\n\s*/g, ' '))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
    </label>
  );
}
