import type { SubAgent } from '../../../src/contract/sessions.ts';
import { clipLine, formatTokens } from '../ui/format.ts';
import { costText } from './cost-text.ts';
import { Elapsed } from './elapsed.tsx';
import { styleOf } from './state-style.ts';
import { flattenSubAgents } from './subagent-tree.ts';
import { totalTokens } from './total-tokens.ts';

const SHOWN_CLOSED = 4;
const MAX_INDENT = 4;

/** Active subagents; with the card expanded, finished ones too. */
export function SubAgentList({ agents, open }: { agents: readonly SubAgent[]; open: boolean }) {
  const rows = flattenSubAgents(agents);
  const active = rows.filter(({ agent }) => agent.endedAt === null);
  const shown = open ? rows : active.slice(0, SHOWN_CLOSED);
  if (shown.length === 0) return null;
  const hidden = rows.length - shown.length;
  return (
    <ul aria-label="Subagents" className="flex flex-col gap-0.5 border-l border-line-strong pl-2.5 text-sm">
      {shown.map(({ agent, depth }) => (
        <SubAgentItem key={agent.id} agent={agent} depth={depth} />
      ))}
      {hidden > 0 && <li className="text-ink-3">+ {describeHidden(active.length - shown.length, hidden)}</li>}
    </ul>
  );
}

function describeHidden(active: number, hidden: number): string {
  if (active <= 0) return `${hidden} finished`;
  return active === hidden ? `${hidden} more` : `${active} more, ${hidden - active} finished`;
}

function SubAgentItem({ agent, depth }: { agent: SubAgent; depth: number }) {
  const { icon: Icon, tone, label } = styleOf(agent.agentState);
  const ended = agent.endedAt !== null;
  return (
    <li
      data-tone={ended ? 'gray' : tone}
      className="flex min-w-0 items-center gap-1.5"
      style={{ paddingLeft: `${Math.min(depth, MAX_INDENT) * 0.875}rem` }}
    >
      <Icon aria-hidden size={13} strokeWidth={2.25} className="shrink-0 text-tone" />
      <span className="sr-only">{label}:</span>
      <span className="max-w-[40%] shrink-0 truncate font-medium text-ink-2" dir="auto">
        {clipLine(agent.type, 40)}
      </span>
      <span className="min-w-0 flex-1 truncate text-ink-3" dir="auto">
        {clipLine(ended ? (agent.description ?? '') : agent.agentState.label, 160)}
      </span>
      <span className="shrink-0 text-ink-3 tabular-nums">
        {agent.tokens && <span className="mr-2">{formatTokens(totalTokens(agent.tokens))}</span>}
        {agent.cost && <span className="mr-2">{costText(agent.cost)}</span>}
        <Elapsed since={ended ? agent.startedAt : agent.stateSince} until={agent.endedAt} />
      </span>
    </li>
  );
}
