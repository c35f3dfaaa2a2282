import { Link } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import type { HistoryDetail } from '../../../../src/contract/history.ts';
import type { SubAgent } from '../../../../src/contract/sessions.ts';
import { Elapsed } from '../../sessions/elapsed.tsx';
import { styleOf } from '../../sessions/state-style.ts';
import { totalTokens } from '../../sessions/total-tokens.ts';
import { clipLine, formatTokens, formatUsd, shortModel } from '../../ui/format.ts';
import { Empty } from '../../ui/states.tsx';
import type { SessionFacts } from '../use-session-facts.ts';
import { orderTree } from './order-tree.ts';

type Recorded = HistoryDetail['subAgentList'][number];

export default function AgentsTab({ facts }: { facts: SessionFacts }) {
  const live = new Map((facts.session?.subAgents ?? []).map((agent) => [agent.id, agent]));
  const recorded = new Map((facts.history?.subAgentList ?? []).map((agent) => [agent.id, agent]));
  const ids = [...new Set([...recorded.keys(), ...live.keys()])];
  const agents = ids.map((id) => ({
    id,
    parentId: live.get(id)?.parentId ?? recorded.get(id)?.parentId ?? null,
    live: live.get(id),
    recorded: recorded.get(id),
  }));
  if (agents.length === 0)
    return (
      <Empty icon={Bot} title="No subagents">
        <p>This session hasn't started any subagents.</p>
      </Empty>
    );
  return (
    <table className="data-table">
      <caption className="sr-only">Subagents of this session</caption>
      <thead>
        <tr>
          <th scope="col">Subagent</th>
          <th scope="col">State</th>
          <th scope="col" className="wide-only">
            Model
          </th>
          <th scope="col" className="wide-only text-right">
            Tools
          </th>
          <th scope="col" className="text-right">
            Tokens
          </th>
          <th scope="col" className="text-right">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {orderTree(agents).map(({ item, depth }) => (
          <AgentRow
            key={item.id}
            sessionId={facts.id}
            id={item.id}
            depth={depth}
            live={item.live}
            recorded={item.recorded}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  sessionId: string;
  id: string;
  depth: number;
  live: SubAgent | undefined;
  recorded: Recorded | undefined;
}

function AgentRow({ sessionId, id, depth, live, recorded }: RowProps) {
  const tokens = live?.tokens ?? recorded?.tokens ?? null;
  const cost = live?.cost ?? recorded?.cost ?? null;
  const model = live?.model ?? recorded?.model ?? null;
  const tools = live?.toolCalls ?? recorded?.toolCalls ?? null;
  const description = live?.description ?? recorded?.description ?? '';
  return (
    <tr>
      <td>
        <div className="min-w-0" style={{ paddingInlineStart: `${Math.min(depth, 5) * 1.25}rem` }}>
          <Link to="/sessions/$sessionId" params={{ sessionId }} search={{ agent: id }} className="link">
            <bdi>{clipLine(live?.type ?? recorded?.type ?? id, 60)}</bdi>
          </Link>
          {description && (
            <p dir="auto" className="text-ink-3">
              {clipLine(description, 160)}
            </p>
          )}
        </div>
      </td>
      <td className="wrap-normal">
        {live ? <LiveState agent={live} /> : <span className="text-ink-3">Finished</span>}
      </td>
      <td className="wide-only text-ink-2">{model ? shortModel(model) : ''}</td>
      <td className="wide-only text-right tabular-nums text-ink-2">{tools ?? ''}</td>
      <td className="text-right tabular-nums text-ink-2">{tokens ? formatTokens(totalTokens(tokens)) : 'unknown'}</td>
      <td className="text-right tabular-nums text-ink-2">{cost ? formatUsd(cost.totalUsd) : 'unknown'}</td>
    </tr>
  );
}

function LiveState({ agent }: { agent: SubAgent }) {
  const ended = agent.endedAt !== null;
  const { icon: Icon, tone, label } = styleOf(agent.agentState);
  if (ended)
    return (
      <span className="text-ink-3">
        Finished after{' '}
        <span className="whitespace-nowrap">
          <Elapsed since={agent.startedAt} until={agent.endedAt} />
        </span>
      </span>
    );
  return (
    <span data-tone={tone} className="flex flex-wrap items-center gap-x-1.5">
      <span className="flex items-center gap-1.5 font-medium text-tone">
        <Icon aria-hidden size={14} className="shrink-0" />
        {label}
      </span>
      <span className="whitespace-nowrap text-ink-3 tabular-nums">
        <Elapsed since={agent.stateSince} />
      </span>
    </span>
  );
}
