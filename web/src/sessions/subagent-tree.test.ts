import { expect, it } from 'vitest';
import type { SubAgent } from '../../../src/contract/sessions.ts';
import { flattenSubAgents } from './subagent-tree.ts';

const agent = (id: string, parentId: string | null = null): SubAgent => ({
  id,
  parentId,
  type: 'Explore',
  description: null,
  agentState: { group: 'autonomous', state: 'thinking', label: '' },
  stateSince: 0,
  startedAt: 0,
  lastMessage: null,
  model: null,
  tokens: null,
  cost: null,
  toolCalls: null,
  endedAt: null,
});

const flat = (...agents: SubAgent[]) => flattenSubAgents(agents).map(({ agent: { id }, depth }) => [id, depth]);

it('puts children under their parents', () => {
  expect(flat(agent('a'), agent('b'), agent('a1', 'a'), agent('a11', 'a1'))).toEqual([
    ['a', 0],
    ['a1', 1],
    ['a11', 2],
    ['b', 0],
  ]);
});

it('keeps subagents with unknown or circular parents', () => {
  expect(flat(agent('x', 'gone'), agent('p', 'q'), agent('q', 'p'))).toEqual([
    ['x', 0],
    ['p', 0],
    ['q', 1],
  ]);
});
