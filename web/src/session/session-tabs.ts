export const TABS = [
  { id: 'conversation', label: 'Conversation' },
  { id: 'timeline', label: 'Timeline' },
  { id: 'agents', label: 'Subagents' },
  { id: 'tasks', label: 'Tasks' },
  { id: 'plan', label: 'Plan' },
  { id: 'changes', label: 'Changes' },
  { id: 'files', label: 'Files' },
  { id: 'cost', label: 'Cost' },
  { id: 'decisions', label: 'Decisions' },
  { id: 'events', label: 'Events' },
] as const;
export type TabId = (typeof TABS)[number]['id'];

export function tabOf(name: string | undefined): TabId {
  return TABS.find(({ id }) => id === name)?.id ?? 'conversation';
}
