import type { SubAgent } from '../../../src/contract/sessions.ts';

export interface SubAgentRow {
  agent: SubAgent;
  depth: number;
}

/** Parents before children, in the order they started. One with an unknown parent goes to the top level; none is lost. */
export function flattenSubAgents(agents: readonly SubAgent[]): SubAgentRow[] {
  const ids = new Set(agents.map((agent) => agent.id));
  const children = new Map<string | null, SubAgent[]>();
  for (const agent of agents) {
    const parent = agent.parentId !== null && ids.has(agent.parentId) ? agent.parentId : null;
    children.set(parent, [...(children.get(parent) ?? []), agent]);
  }
  const rows: SubAgentRow[] = [];
  const placed = new Set<string>();

  function place(agent: SubAgent, depth: number) {
    if (placed.has(agent.id)) return;
    placed.add(agent.id);
    rows.push({ agent, depth });
    for (const child of children.get(agent.id) ?? []) place(child, depth + 1);
  }

  for (const agent of children.get(null) ?? []) place(agent, 0);
  // Two that name each other as parent have no root.
  for (const agent of agents) place(agent, 0);
  return rows;
}
