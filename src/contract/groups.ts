/** The operator's three columns, fixed. States within a group are open strings. */
export const GROUPS = ['needs_you', 'autonomous', 'delivered'] as const;
export type Group = (typeof GROUPS)[number];

/**
 * Most urgent first. An unlisted state ranks after the listed ones of its group, so an unknown future state is shown but never hides one we
 * understand.
 */
const URGENCY = [
  'needs_permission',
  'awaiting_input',
  'budget_exceeded',
  'looping',
  'stalled',
  'error',
  'awaiting_approval',
  'interrupted',
  'idle',
];

export function urgencyOf(state: { group: Group; state: string }): number {
  if (state.group === 'delivered') return 200;
  if (state.group === 'autonomous') return 100;
  const known = URGENCY.indexOf(state.state);
  return known < 0 ? URGENCY.length : known;
}

/**
 * A session's column. A session that just stopped working stays under autonomous until its new state has settled, so a failed tool the
 * agent recovers from never moves a card or calls anyone.
 */
export function columnOf(session: { agentState: { group: Group }; attention: 'none' | 'settling' | 'settled' }): Group {
  return session.attention === 'settling' ? 'autonomous' : session.agentState.group;
}
