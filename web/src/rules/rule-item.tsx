import { CircleHelp, Ellipsis, ShieldBan, ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Rule, RuleDecision, RuleDraft } from '../../../src/contract/rules.ts';
import type { Tone } from '../sessions/state-style.ts';
import { clip } from '../ui/format.ts';
import { Menu, MenuDivider, MenuItem } from '../ui/menu.tsx';
import { summarizeConditions } from './rule-conditions.ts';
import { toDraft } from './use-rules.ts';

export const DECISION_LOOKS = {
  allow: { icon: ShieldCheck, tone: 'green', label: 'Allow' },
  deny: { icon: ShieldBan, tone: 'red', label: 'Deny' },
  ask: { icon: CircleHelp, tone: 'amber', label: 'Ask' },
} as const satisfies Record<RuleDecision, { icon: unknown; tone: Tone; label: string }>;

interface Props {
  rule: Rule;
  /** A link led to this rule. */
  shown: boolean;
  onEdit: () => void;
  onVersions: () => void;
  onDelete: () => void;
  onTurn: (draft: RuleDraft) => void;
}

export function RuleItem({ rule, shown, onEdit, onVersions, onDelete, onTurn }: Props) {
  const row = useRef<HTMLElement>(null);
  const { icon: Icon, tone, label } = DECISION_LOOKS[rule.decision];
  useEffect(() => {
    if (shown) row.current?.scrollIntoView({ block: 'center' });
  }, [shown]);
  const parameters = Object.entries(rule.pattern.parameters);
  return (
    <article
      ref={row}
      className="rule-row"
      data-tone={tone}
      data-shown={shown || undefined}
      data-off={!rule.enabled || undefined}
    >
      <p className="flex w-20 shrink-0 items-center gap-1.5 font-semibold text-tone">
        <Icon aria-hidden size={16} /> {label}
      </p>
      <div className="rule-what">
        <p className="font-mono text-md break-words">
          <span className="font-semibold">{clip(rule.pattern.toolName, { max: 200 })}</span>
          {parameters.map(([name, glob]) => (
            <span key={name}>
              {' '}
              <span className="text-ink-3">{name}:</span> <bdi>{clip(glob, { max: 500 })}</bdi>
            </span>
          ))}
          {parameters.length === 0 && <span className="font-sans text-ink-3"> any input</span>}
        </p>
        <p className="text-sm text-ink-3">
          {[
            rule.reason,
            rule.priority !== 0 && `priority ${rule.priority}`,
            ...summarizeConditions(rule),
            !rule.enabled && 'off',
            rule.version > 1 && `version ${rule.version}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <button type="button" className="button" onClick={onEdit}>
        Edit
      </button>
      <Menu
        trigger={
          <button
            type="button"
            className="icon-button"
            aria-label={`More actions for the ${rule.pattern.toolName} rule`}
          >
            <Ellipsis aria-hidden size={17} />
          </button>
        }
      >
        <MenuItem onSelect={() => onTurn({ ...toDraft(rule), enabled: !rule.enabled })}>
          {rule.enabled ? 'Turn off' : 'Turn on'}
        </MenuItem>
        <MenuItem onSelect={onVersions}>Earlier versions…</MenuItem>
        <MenuDivider />
        <MenuItem tone="red" onSelect={onDelete}>
          Delete
        </MenuItem>
      </Menu>
    </article>
  );
}
