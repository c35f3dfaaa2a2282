import { urgencyOf } from '../../../src/contract/groups.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { totalTokens } from '../sessions/total-tokens.ts';

export const SORTS = ['state', 'title', 'project', 'branch', 'model', 'context', 'tokens', 'cost', 'time'] as const;
export type Sort = (typeof SORTS)[number];

const VALUES: Record<Sort, (session: LiveSession) => string | number | null> = {
  state: ({ agentState }) => urgencyOf(agentState),
  title: ({ title }) => title.slice(0, 200).toLowerCase(),
  project: ({ projectDisplayName }) => projectDisplayName.toLowerCase(),
  branch: ({ gitBranch }) => gitBranch?.toLowerCase() ?? null,
  model: ({ model }) => model,
  context: ({ contextWindowTokens, contextWindowLimit }) =>
    contextWindowTokens === null || !contextWindowLimit ? null : contextWindowTokens / contextWindowLimit,
  tokens: ({ tokens }) => tokens && totalTokens(tokens),
  cost: ({ cost }) => cost?.totalUsd ?? null,
  time: ({ stateSince }) => stateSince,
};

/** Unknown values come last in both directions. */
export function orderSessions(sessions: readonly LiveSession[], sort: Sort, descending: boolean): LiveSession[] {
  const value = VALUES[sort];
  const sign = descending ? -1 : 1;
  return sessions
    .map((session, index) => ({ session, index, value: value(session) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null)
        return Number(a.value === null) - Number(b.value === null) || a.index - b.index;
      if (a.value === b.value) return a.index - b.index;
      return a.value < b.value ? -sign : sign;
    })
    .map(({ session }) => session);
}
