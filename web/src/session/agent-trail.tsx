import { Link } from '@tanstack/react-router';
import { Bot, ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { clipLine } from '../ui/format.ts';
import type { SessionFacts } from './use-session-facts.ts';

/** Breadcrumbs from the main conversation to the subagent shown. */
export function AgentTrail({ facts, agentId }: { facts: SessionFacts; agentId: string }) {
  const agents = new Map(
    [...(facts.history?.subAgentList ?? []), ...(facts.session?.subAgents ?? [])].map((agent) => [agent.id, agent]),
  );
  const trail: string[] = [];
  for (let id: string | null = agentId; id !== null && !trail.includes(id); id = agents.get(id)?.parentId ?? null)
    trail.unshift(id);
  return (
    <nav aria-label="Subagents above this one" className="agent-trail">
      <Bot aria-hidden size={15} className="shrink-0 text-ink-3" />
      <Link to="/sessions/$sessionId" params={{ sessionId: facts.id }} search={{}} className="link">
        Main conversation
      </Link>
      {trail.map((id) => {
        const agent = agents.get(id);
        const name = clipLine([agent?.type, agent?.description].filter(Boolean).join(': ') || id, 80);
        return (
          <Fragment key={id}>
            <ChevronRight aria-hidden size={14} className="shrink-0 text-ink-3" />
            {id === agentId ? (
              <bdi aria-current="page" className="min-w-0 truncate font-semibold">
                {name}
              </bdi>
            ) : (
              <Link to="/sessions/$sessionId" params={{ sessionId: facts.id }} search={{ agent: id }} className="link">
                <bdi>{name}</bdi>
              </Link>
            )}
          </Fragment>
        );
      })}
    </nav>
  );
}
