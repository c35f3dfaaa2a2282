import type { LiveSession } from '../../../src/contract/sessions.ts';

export const TABS = [
  { id: 'conversation', label: 'Conversation' },
  { id: 'timeline', label: 'Timeline' },
  { id: 'agents', label: 'Subagents' },
  { id: 'tree', label: 'Tree' },
  { id: 'tasks', label: 'Tasks' },
  { id: 'plan', label: 'Plan' },
  { id: 'changes', label: 'Changes' },
  { id: 'files', label: 'Files' },
  { id: 'cost', label: 'Cost' },
  { id: 'shells', label: 'Shells' },
  { id: 'decisions', label: 'Decisions' },
  { id: 'events', label: 'Events' },
] as const;
export type TabId = (typeof TABS)[number]['id'];

/** Only sessions of the built-in agent show their shells, and only sessions started from here have a tree. */
export function tabsFor(
  session: Pick<LiveSession, 'driver' | 'orchestration'> | null,
): readonly (typeof TABS)[number][] {
  const isHidden: Partial<Record<TabId, boolean>> = {
    shells: session?.driver.capabilities.shells !== true,
    tree: session?.orchestration == null,
  };
  return TABS.filter(({ id }) => isHidden[id] !== true);
}

export function tabOf(name: string | undefined): TabId {
  return TABS.find(({ id }) => id === name)?.id ?? 'conversation';
}
